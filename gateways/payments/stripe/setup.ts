import type Stripe from 'stripe';
import { PaymentError } from '../port.ts';
import { CALL_TIMEOUT_MS } from '../timeout.ts';
import { checkedObject, completeList, openSdk, unexpectedResponse } from './client.ts';
import { callStripe, dollarsOf } from './provider.ts';
import type { StripeAccountFacts, StripeEndpoint, StripeSetup } from './setup-port.ts';
import { WEBHOOK_API_VERSION, WEBHOOK_EVENTS } from './webhook-events.ts';

/** Marks the endpoints that this application has made. */
const MARK = { made_by: 'acre-trading-post' };

interface SetupConfig {
  apiBase: string | undefined;
  callTimeoutMs?: number;
}

/** Sets accounts up through Stripe's API. */
export function createStripeSetup({
  apiBase,
  callTimeoutMs = CALL_TIMEOUT_MS,
}: SetupConfig): Omit<StripeSetup, 'keysChanged'> {
  const sdk = (secretKey: string) => openSdk({ secretKey, apiBase, callTimeoutMs });
  const call = <T>(secretKey: string, work: (stripe: Stripe) => Promise<T>): Promise<T> =>
    callStripe(callTimeoutMs, () => work(sdk(secretKey)));
  return {
    account: (secretKey) => call(secretKey, accountFacts),
    funds: (secretKey) =>
      call(secretKey, async (stripe) => {
        const [facts, balance] = await Promise.all([accountFacts(stripe), stripe.balance.retrieve()]);
        if (balance.object !== 'balance') throw unexpectedResponse(balance);
        return {
          ...facts,
          availableCents: dollarsOf(balance.available),
          pendingCents: dollarsOf(balance.pending),
        };
      }),
    endpoints: (secretKey, url) =>
      call(secretKey, async (stripe) =>
        completeList(await stripe.webhookEndpoints.list({ limit: 100 }))
          .filter((endpoint) => endpoint.url === url)
          .map(endpointState),
      ),
    createEndpoint: (secretKey, url, idempotencyKey) =>
      call(secretKey, async (stripe) => {
        const made = checkedObject(
          await stripe.webhookEndpoints.create(
            { url, enabled_events: [...WEBHOOK_EVENTS], api_version: WEBHOOK_API_VERSION, metadata: MARK },
            { idempotencyKey },
          ),
          'webhook_endpoint',
        );
        if (!made.secret) throw new PaymentError('unavailable', 'Stripe gave no secret of the endpoint');
        return { ref: made.id, secret: made.secret };
      }),
    switchEndpoint: (secretKey, ref, enabled) =>
      call(secretKey, async (stripe) => {
        const change = enabled
          ? { disabled: false, enabled_events: [...WEBHOOK_EVENTS] }
          : { disabled: true };
        checkedObject(await stripe.webhookEndpoints.update(ref, change), 'webhook_endpoint');
      }),
    removeEndpoint: (secretKey, ref) =>
      call(secretKey, (stripe) => stripe.webhookEndpoints.del(ref)).then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof PaymentError) || error.code !== 'not_found') throw error;
        },
      ),
  };
}

async function accountFacts(stripe: Stripe): Promise<StripeAccountFacts> {
  const account = checkedObject(await stripe.accounts.retrieveCurrent(), 'account');
  return { ref: account.id, payoutInterval: account.settings?.payouts?.schedule?.interval ?? null };
}

const endpointState = (endpoint: Stripe.WebhookEndpoint): StripeEndpoint => ({
  ref: endpoint.id,
  enabled: endpoint.status === 'enabled',
  complete:
    endpoint.api_version === WEBHOOK_API_VERSION &&
    (endpoint.enabled_events.includes('*') ||
      WEBHOOK_EVENTS.every((event) => endpoint.enabled_events.includes(event))),
  ours: endpoint.metadata?.made_by === MARK.made_by,
  createdAt: new Date(endpoint.created * 1000),
});
