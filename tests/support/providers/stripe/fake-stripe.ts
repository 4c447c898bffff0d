import { signStripe } from '#gateways/payments/webhook-signature.ts';
import {
  type Provider,
  type ProviderRequest,
  type ProviderServer,
  startProviderServer,
} from '../provider-server.ts';
import { API_VERSION, StripeAccount } from './account.ts';
import { StripeActors } from './actors.ts';
import { StripeApi } from './api.ts';
import { StripeApiError } from './api-error.ts';
import type { StripeEndpointsApi } from './endpoints-api.ts';
import { loadParameterSchemas } from './parameters.ts';
import type { EventRecord } from './records.ts';

/** One mode of the account: its secret key, its state, and the buyers and banks that act on it. */
type StripeMode = {
  secretKey: string;
  account: StripeAccount;
  actors: StripeActors;
  /** Opens a session of $1.00 without a request, and returns its id. */
  openSession(): string;
  /** where it sends its messages */
  endpoints: StripeEndpointsApi;
};

export type FakeStripe = ProviderServer & {
  test: StripeMode;
  live: StripeMode;
  /** the test mode of another account */
  other: StripeMode;
  webhookSecret: string;
  /** The latest event about a session, its payment, its refunds or its disputes. */
  latestEvent(mode: StripeMode, ref: string): EventRecord;
  /** An event as a webhook request at the current time, signed with `webhookSecret` unless another secret is given. */
  signedWebhook(event: EventRecord, secret?: string): { rawBody: Uint8Array; headers: Headers };
};

type FakeStripeOptions = {
  now: () => Date;
  refunds?: 'pending' | 'succeeded';
  bankLimitCents?: number;
};

type StoredResponse = { endpoint: string; body: string; at: number; answer: ReturnType<Provider['answer']> };

const SMALL_SESSION = new URLSearchParams({
  mode: 'payment',
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '100',
  'line_items[0][price_data][product_data][name]': 'Lot',
  success_url: 'https://market.example/done',
  cancel_url: 'https://market.example/back',
}).toString();
const IDEMPOTENCY_TTL_SECONDS = 86_400;

/**
 * A fake Stripe API in this process. It accepts only what the SDK's types allow and follows Stripe's rules on amounts,
 * times, keys, modes and repeated requests. Events are collected in `account.events`; tests deliver them as they like.
 */
export async function startFakeStripe(options: FakeStripeOptions): Promise<FakeStripe> {
  const { now, refunds = 'succeeded', bankLimitCents = 99_999_999 } = options;
  loadParameterSchemas();
  const webhookSecret = 'whsec_double_of_stripe';
  const open = (secretKey: string, id?: string) => {
    const account = new StripeAccount(secretKey.includes('_live_'), now, id);
    const actors = new StripeActors(account, bankLimitCents, refunds);
    const api = new StripeApi(account, actors);
    return {
      secretKey,
      account,
      actors,
      api,
      endpoints: api.endpoints,
      openSession: () => api.createSession(SMALL_SESSION),
      storedResponses: new Map<string, StoredResponse>(),
    };
  };
  const test = open('sk_test_51DoubleOfStripe');
  const live = open('sk_live_51DoubleOfStripe');
  const other = open('sk_test_51OtherAccount', 'acct_1OtherAccount');
  const modes = [test, live, other];

  const answer: Provider['answer'] = (request, fails) => {
    try {
      const mode = modes.find(({ secretKey }) => request.headers.authorization === `Bearer ${secretKey}`);
      if (!mode) throw invalidKeyError(request);
      if (request.headers['stripe-version'] !== API_VERSION)
        throw new StripeApiError(400, {
          type: 'invalid_request_error',
          message: `Invalid Stripe API version: ${request.headers['stripe-version']}`,
        });
      const text = request.method === 'GET' ? request.url.search.slice(1) : request.body;
      const segments = request.url.pathname.split('/').slice(1).map(decodeURIComponent);
      const execute = () => {
        if (fails) throw new StripeApiError(500, { type: 'api_error', message: 'An error occurred' }, true);
        return { status: 200, body: mode.api.handle({ method: request.method, segments, text }) };
      };
      return request.method === 'POST' ? respondOnce(mode, request, execute) : execute();
    } catch (error) {
      return errorResponse(error);
    }
  };

  /** Runs a request once for each idempotency key and repeats the first response after that. */
  function respondOnce(
    mode: (typeof modes)[number],
    request: ProviderRequest,
    execute: () => ReturnType<Provider['answer']>,
  ) {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || key.length > 255)
      throw StripeApiError.invalidParameter('Idempotency-Key', 'The key must have 1 to 255 characters');
    const endpoint = `${request.method} ${request.url.pathname}`;
    const previous = mode.storedResponses.get(key);
    if (previous && previous.at > mode.account.seconds - IDEMPOTENCY_TTL_SECONDS) {
      const same = previous.endpoint === endpoint ? 'parameters' : 'endpoint';
      if (previous.endpoint !== endpoint || previous.body !== request.body)
        throw new StripeApiError(400, {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same ${same} they were first used with.`,
        });
      return { ...previous.answer, headers: { 'idempotent-replayed': 'true' } };
    }
    let result: ReturnType<Provider['answer']>;
    try {
      const done = execute();
      result = { ...done, body: structuredClone(done.body) };
    } catch (error) {
      if (!(error instanceof StripeApiError && error.executed)) throw error;
      result = errorResponse(error);
    }
    mode.storedResponses.set(key, { endpoint, body: request.body, at: mode.account.seconds, answer: result });
    return result;
  }

  const server = await startProviderServer({
    answer,
    errorBody: (status) => ({ error: errorBodyFor(status) }),
  });
  return {
    ...server,
    test,
    live,
    other,
    webhookSecret,
    latestEvent(mode, ref) {
      const payment = mode.account.session(ref).payment_intent;
      const event = mode.account.events.findLast(({ data }) => isAbout(data.object, ref, payment));
      if (!event) throw new Error(`Nothing has happened to ${ref}`);
      return event;
    },
    signedWebhook(event, secret = webhookSecret) {
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

function invalidKeyError({ headers }: ProviderRequest): StripeApiError {
  const shown = headers.authorization?.replace(/^Bearer (.{8}).*(.{4})$/, '$1****$2') ?? '(none)';
  return new StripeApiError(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${shown}`,
  });
}

function errorResponse(error: unknown): ReturnType<Provider['answer']> {
  if (!(error instanceof StripeApiError)) throw error;
  return { status: error.status, body: { error: error.body } };
}

function errorBodyFor(status: number): object {
  if (status === 429)
    return { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' };
  return { type: status >= 500 ? 'api_error' : 'invalid_request_error', message: `Answered ${status}` };
}
