import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { MINUTE } from '#platform/durations.ts';
import {
  type Provider,
  type ProviderRequest,
  type ProviderServer,
  startProviderServer,
} from '../provider-server.ts';
import { PayPalAccount, type PayPalEvent } from './account.ts';
import { createBatch, PayPalApiError, readBatch } from './api.ts';

interface PayPalKeys {
  clientId: string;
  clientSecret: string;
  account: PayPalAccount;
}

export type FakePayPal = ProviderServer & {
  ours: PayPalKeys;
  others: PayPalKeys;
  webhookId: string;
  /** Ends every token that was given out. */
  revokeTokens(): void;
  /** A message as a request, signed for `webhookId` unless another one is given. */
  signedWebhook(event: PayPalEvent, webhookId?: string): { rawBody: Uint8Array; headers: Headers };
};

/** As long as PayPal's. */
const TOKEN_SECONDS = 32_400;

/**
 * A fake PayPal in this process: it gives out tokens that end, keeps the ids of batches for 30 days, holds what is on its way, and
 * verifies its own messages by their bytes. Items stay as they are until a test lets something happen to them.
 */
export async function startFakePayPal({ now }: { now: () => Date }): Promise<FakePayPal> {
  const webhookId = '8PT597110X687430LKGECATA';
  const signingKey = randomBytes(16);
  const keys = (name: string): PayPalKeys => ({
    clientId: `client-of-${name}`,
    clientSecret: `secret-of-${name}`,
    account: new PayPalAccount(`${name.toUpperCase()}000000000`.slice(0, 13), now),
  });
  const [ours, others] = [keys('ours'), keys('others')];
  const tokens = new Map<string, { account: PayPalAccount; until: number }>();

  const giveToken = ({ headers, body }: ProviderRequest) => {
    const owner = [ours, others].find(
      ({ clientId, clientSecret }) =>
        headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    );
    if (!owner) return { status: 401, body: { error: 'invalid_client' } };
    if (body !== 'grant_type=client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    const value = randomUUID();
    tokens.set(value, { account: owner.account, until: now().getTime() + TOKEN_SECONDS * 1000 });
    return { status: 200, body: { access_token: value, token_type: 'Bearer', expires_in: TOKEN_SECONDS } };
  };

  const signature = (id: string, time: string, hook: string, event: string) =>
    createHmac('sha256', signingKey).update(`${id}|${time}|${hook}|${event}`).digest('base64');

  /** The event is taken out of the body as it came: what is written anew has another signature. */
  const verify = (body: string) => {
    const asked = JSON.parse(body) as Record<string, string>;
    const event = /"webhook_event":(.*)\}$/s.exec(body)?.[1] ?? '';
    const { transmission_id: id = '', transmission_time: time = '', webhook_id: hook = '' } = asked;
    const right = hook === webhookId && asked.transmission_sig === signature(id, time, hook, event);
    return { status: 200, body: { verification_status: right ? 'SUCCESS' : 'FAILURE' } };
  };

  const answer: Provider['answer'] = (request, fails) => {
    const { method, url, headers, body } = request;
    const what = `${method} ${url.pathname}`;
    if (what === 'POST /v1/oauth2/token') return giveToken(request);
    const token = tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    if (!token || token.until <= now().getTime()) return { status: 401, body: { error: 'invalid_token' } };
    if (fails) return { status: 500, body: new PayPalApiError(500, 'INTERNAL_ERROR').body };
    const { account } = token;
    try {
      if (what === 'POST /v1/payments/payouts') return createBatch(account, body);
      if (what.startsWith('GET /v1/payments/payouts/')) return readBatch(account, url);
      if (what === 'GET /v1/reporting/balances') return { status: 200, body: balancesOf(account) };
      if (what === 'POST /v1/notifications/verify-webhook-signature') return verify(body);
      throw new PayPalApiError(404, 'RESOURCE_NOT_FOUND');
    } catch (error) {
      if (!(error instanceof PayPalApiError)) throw error;
      return { status: error.status, body: error.body };
    }
  };

  const errorBody = (status: number) =>
    new PayPalApiError(status, status === 429 ? 'RATE_LIMIT_REACHED' : 'INTERNAL_ERROR').body;
  const server = await startProviderServer({ answer, errorBody });
  return {
    ...server,
    ours,
    others,
    webhookId,
    revokeTokens: () => tokens.clear(),
    signedWebhook(event, hook = webhookId) {
      // Written with spaces, as nobody writes it who parses it and writes it anew.
      const text = JSON.stringify(event, null, 1);
      const [id, time] = [randomUUID(), new Date(now().getTime() - MINUTE).toISOString()];
      const headers = new Headers({
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42',
        'paypal-transmission-id': id,
        'paypal-transmission-sig': signature(id, time, hook, text),
        'paypal-transmission-time': time,
      });
      return { rawBody: new TextEncoder().encode(text), headers };
    },
  };
}

const balancesOf = ({ id, totalCents, availableCents }: PayPalAccount) => {
  const money = (cents: number) => ({ currency_code: 'USD', value: (cents / 100).toFixed(2) });
  return {
    account_id: id,
    balances: [
      {
        currency: 'EUR',
        primary: false,
        total_balance: { currency_code: 'EUR', value: '7.00' },
        available_balance: { currency_code: 'EUR', value: '7.00' },
      },
      {
        currency: 'USD',
        primary: true,
        total_balance: money(totalCents),
        available_balance: money(availableCents),
        withheld_balance: money(totalCents - availableCents),
      },
    ],
  };
};
