import { signStripe } from '#gateways/payments/signature.ts';
import {
  type Provider,
  type ProviderRequest,
  type ProviderServer,
  startProviderServer,
} from './provider-server.ts';
import { API_VERSION, StripeAccount } from './stripe-account.ts';
import { StripeDesk } from './stripe-desk.ts';
import { loadStripeParameters } from './stripe-parameters.ts';
import { StripePeople } from './stripe-people.ts';
import type { EventRecord } from './stripe-records.ts';
import { StripeRefusal } from './stripe-refusal.ts';

/** One mode of the account, the way to it, and those who act on it. */
export type StripeMode = { secretKey: string; account: StripeAccount; people: StripePeople };

export type StripeDouble = ProviderServer & {
  test: StripeMode;
  live: StripeMode;
  webhookSecret: string;
  /** The newest event about a session, its payment, its refunds and its disputes. */
  newest(mode: StripeMode, ref: string): EventRecord;
  /** An event as it is posted now; signed with another secret if one is given. */
  signed(event: EventRecord, secret?: string): { rawBody: Uint8Array; headers: Headers };
};

export type StripeDoubleOptions = {
  now: () => Date;
  refunds?: 'pending' | 'succeeded';
  bankLimitCents?: number;
};

type Kept = { endpoint: string; body: string; at: number; answer: ReturnType<Provider['answer']> };

const KEPT_SECONDS = 86_400;

/**
 * A small Stripe in this process. It takes what the SDK's own types allow and nothing else, and keeps Stripe's rules on
 * amounts, times, keys, modes and repeated requests. Events wait in `account.events`; a test delivers them as it likes.
 */
export async function startStripeDouble(options: StripeDoubleOptions): Promise<StripeDouble> {
  const { now, refunds = 'succeeded', bankLimitCents = 99_999_999 } = options;
  loadStripeParameters();
  const webhookSecret = 'whsec_double_of_stripe';
  const modes = (['test', 'live'] as const).map((name) => {
    const account = new StripeAccount(name === 'live', now);
    return {
      secretKey: `sk_${name}_51DoubleOfStripe`,
      account,
      people: new StripePeople(account, bankLimitCents),
      desk: new StripeDesk(account, refunds),
      kept: new Map<string, Kept>(),
    };
  });
  const [test, live] = modes;
  if (!test || !live) throw new Error('Stripe has two modes');

  const answer: Provider['answer'] = (request, fails) => {
    try {
      const mode = modes.find(({ secretKey }) => request.headers.authorization === `Bearer ${secretKey}`);
      if (!mode) throw badKey(request);
      if (request.headers['stripe-version'] !== API_VERSION)
        throw new StripeRefusal(400, {
          type: 'invalid_request_error',
          message: `Invalid Stripe API version: ${request.headers['stripe-version']}`,
        });
      const text = request.method === 'GET' ? request.url.search.slice(1) : request.body;
      const steps = request.url.pathname.split('/').slice(1).map(decodeURIComponent);
      const work = () => {
        if (fails) throw new StripeRefusal(500, { type: 'api_error', message: 'An error occurred' }, true);
        return { status: 200, body: mode.desk.answer({ method: request.method, steps, text }) };
      };
      return request.method === 'POST' ? once(mode, request, work) : work();
    } catch (error) {
      return refused(error);
    }
  };

  /** Answers a request with a key once, and again what was answered then. */
  function once(
    mode: (typeof modes)[number],
    request: ProviderRequest,
    work: () => ReturnType<Provider['answer']>,
  ) {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || key.length > 255)
      throw StripeRefusal.ofParameter('Idempotency-Key', 'The key must have 1 to 255 characters');
    const endpoint = `${request.method} ${request.url.pathname}`;
    const before = mode.kept.get(key);
    if (before && before.at > mode.account.seconds - KEPT_SECONDS) {
      const same = before.endpoint === endpoint ? 'parameters' : 'endpoint';
      if (before.endpoint !== endpoint || before.body !== request.body)
        throw new StripeRefusal(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same ${same} they were first used with.`,
        });
      return { ...before.answer, headers: { 'idempotent-replayed': 'true' } };
    }
    let result: ReturnType<Provider['answer']>;
    try {
      const done = work();
      result = { ...done, body: structuredClone(done.body) };
    } catch (error) {
      if (!(error instanceof StripeRefusal && error.begun)) throw error;
      result = refused(error);
    }
    mode.kept.set(key, { endpoint, body: request.body, at: mode.account.seconds, answer: result });
    return result;
  }

  const server = await startProviderServer({ answer, refusal: (status) => ({ error: wording(status) }) });
  return {
    ...server,
    test,
    live,
    webhookSecret,
    newest(mode, ref) {
      const payment = mode.account.session(ref).payment_intent;
      const event = mode.account.events.findLast(({ data }) => isAbout(data.object, ref, payment));
      if (!event) throw new Error(`Nothing has happened to ${ref}`);
      return event;
    },
    signed(event, secret = webhookSecret) {
      const rawBody = new TextEncoder().encode(JSON.stringify(event, null, 2));
      const signature = signStripe(rawBody, secret, now());
      return { rawBody, headers: new Headers({ 'stripe-signature': signature }) };
    },
  };
}

function isAbout(object: object, ref: string, payment: string | null): boolean {
  const { id, payment_intent: of }: { id?: string; payment_intent?: string | null } = object;
  return id === ref || (payment !== null && (id === payment || of === payment));
}

function badKey({ headers }: ProviderRequest): StripeRefusal {
  const shown = headers.authorization?.replace(/^Bearer (.{8}).*(.{4})$/, '$1****$2') ?? '(none)';
  return new StripeRefusal(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${shown}`,
  });
}

function refused(error: unknown): ReturnType<Provider['answer']> {
  if (!(error instanceof StripeRefusal)) throw error;
  return { status: error.status, body: { error: error.body } };
}

function wording(status: number): object {
  if (status === 429)
    return { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' };
  return { type: status >= 500 ? 'api_error' : 'invalid_request_error', message: `Answered ${status}` };
}
