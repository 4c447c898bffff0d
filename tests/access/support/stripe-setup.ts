import { saveStripeKeys } from '#features/payment-settings/commands/save-stripe-keys.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { StripeEndpoint, StripeSetup } from '#gateways/payments/stripe/setup-port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import type { Scenario } from './scenario.ts';

/** A key that Stripe knows. */
export const TEST_KEY = 'sk_test_cell';
export const LIVE_KEY = 'sk_live_cell';

type StripeCell = { setup: StripeSetup; seen: number };

/** An account at Stripe of its own for each cell. */
function stripeSetup(): StripeSetup {
  const endpoints = new Map<string, StripeEndpoint>();
  const facts = async (key: string) => {
    if (![TEST_KEY, LIVE_KEY].includes(key)) throw new PaymentError('auth', 'No such key');
    return { ref: 'acct_cell', payoutInterval: 'manual', availableCents: 0, pendingCents: 0 };
  };
  return {
    account: facts,
    funds: facts,
    endpoints: async () => [...endpoints.values()],
    async createEndpoint() {
      const ref = `we_${endpoints.size}`;
      endpoints.set(ref, { ref, enabled: true, complete: true, ours: true, createdAt: new Date() });
      return { ref, secret: `whsec_${ref}` };
    },
    async switchEndpoint(_, ref, enabled) {
      const found = endpoints.get(ref);
      if (found) endpoints.set(ref, { ...found, enabled });
    },
    removeEndpoint: async (_, ref) => void endpoints.delete(ref),
    keysChanged: async () => undefined,
  };
}

/** The context with Stripe; its live keys move no money, since it is on this machine. */
export const withStripe = (ctx: Ctx, { setup }: StripeCell): CtxWith<'payments' | 'stripeSetup'> => {
  const port = { provider: 'sandbox-card', livemode: false };
  const payments = { forMethod: () => port, of: () => port };
  const config = { ...ctx.config, stripeApiBase: 'http://127.0.0.1:9' };
  return { ...ctx, config, stripeSetup: setup, payments } as unknown as CtxWith<'payments' | 'stripeSetup'>;
};

/** Nothing but the given keys saved, in test mode. */
export async function prepareStripe(
  scenario: Scenario,
  keys: { testSecret?: string; liveSecret?: string } = {},
): Promise<StripeCell> {
  const { db } = scenario;
  await db.q().deleteFrom('stripe_key_sets').execute();
  await db.q().updateTable('stripe_connection').set({ livemode: false, disconnected_at: null }).execute();
  const seen = async () =>
    (await db.q().selectFrom('stripe_connection').select('version').executeTakeFirstOrThrow()).version;
  const cell = { setup: stripeSetup(), seen: await seen() };
  if (Object.keys(keys).length > 0)
    await saveStripeKeys(withStripe(scenario.ctx('admin'), cell), {
      testPublishable: '',
      testSecret: '',
      livePublishable: '',
      liveSecret: '',
      ...keys,
      seen: cell.seen,
    });
  return { ...cell, seen: await seen() };
}
