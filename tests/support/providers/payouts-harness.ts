import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { performSandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { createSandbox } from '#gateways/payments/sandbox/provider.ts';
import type { PayoutsFixture } from '#gateways/payouts/contract-fixture.ts';
import type { PayoutMethod } from '#gateways/payouts/port.ts';
import { addFunds, decideAccount, payOutSeller } from '#gateways/payouts/sandbox/accounts.ts';
import { createPayoutsSandbox, type PayoutsSandboxConfig } from '#gateways/payouts/sandbox/provider.ts';
import { defaultPayoutAccount, payoutWebhookSecret, senderOf } from '#gateways/payouts/sandbox/rules.ts';
import { processDuePayouts, settlePayoutItem } from '#gateways/payouts/sandbox/settlement.ts';
import { signPayoutWebhook } from '#gateways/payouts/sandbox/webhook.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, SECOND } from '#platform/durations.ts';
import { testClock } from '../fixtures/context.ts';
import { SANDBOX_SECRET } from './sandbox-harness.ts';

const TABLES = sql`sandbox_checkouts, sandbox_tranches, sandbox_refunds, sandbox_disputes, sandbox_transactions, sandbox_keys,
  sandbox_deliveries, sandbox_accounts, sandbox_onboarding_links, sandbox_payouts, sandbox_payout_items, sandbox_reversals`;

/** The messages of the sandbox about payouts and accounts, in order. */
const payoutEvents = (db: Database) =>
  db
    .q()
    .selectFrom('sandbox_deliveries')
    .selectAll()
    .where('method', 'in', ['connect', 'paypal'])
    .$narrowType<{ method: 'connect' | 'paypal' }>()
    .orderBy('id')
    .execute();

/** An empty sandbox of payouts on a manual clock, with the actions of its banks, sellers and recipients. */
export async function createPayoutsHarness(
  db: Database,
  method: PayoutMethod,
  change: Partial<PayoutsSandboxConfig> = {},
): Promise<PayoutsFixture> {
  await sql`truncate ${TABLES}`.execute(db.q());
  const { now, advance } = testClock();
  const common = { db, secret: SANDBOX_SECRET, now, publicUrl: 'http://localhost:3000' };
  const config: PayoutsSandboxConfig = { ...common, method, ...change };
  const port = createPayoutsSandbox(config);
  const settle = (outcome: Parameters<typeof settlePayoutItem>[2]) => (ref: string) =>
    settlePayoutItem(db, ref, outcome, now());
  const newAccount = async () => {
    const seller = { agentId: randomUUID(), email: 'seller@market.example', name: 'Sandra Seller' };
    const account = await port.onboarding?.create(seller, randomUUID());
    if (!account) throw new Error('The provider has no accounts of sellers');
    await decideAccount(db, account.ref, { active: true }, now());
    return account.ref;
  };
  return {
    port,
    now,
    advance,
    fund: (cents) => addFunds(db, defaultPayoutAccount(method), cents, now()),
    destination: method === 'stripe' ? newAccount : async () => `seller-${randomUUID()}@market.example`,
    unknownDestination: method === 'stripe' ? 'acct_sandbox0000' : 'no-address',
    async arrive() {
      advance(5 * SECOND);
      const items = db.q().selectFrom('sandbox_payout_items').select('ref');
      // A run processes a limited number of them.
      const pending = items.where('state', '=', 'pending').limit(1);
      while (await pending.executeTakeFirst()) await processDuePayouts(db, now());
      const held = items.where('state', '=', 'onhold');
      for (const { ref } of await held.execute()) await settlePayoutItem(db, ref, 'arrive', now());
    },
    takeBack: settle('reverse'),
    async signedWebhook(about, secret = payoutWebhookSecret(SANDBOX_SECRET, senderOf(method))) {
      const event = (await payoutEvents(db)).findLast((one) => one.ref === about);
      if (!event) throw new Error('Nothing was said about this');
      return signPayoutWebhook(event, secret, now());
    },
    otherKeys: createPayoutsSandbox({ ...config, account: 'another', livemode: true }),
    ...(method === 'stripe'
      ? {
          sellers: {
            activate: (ref) => decideAccount(db, ref, { active: true }, now()),
            demand: (ref) =>
              decideAccount(db, ref, { active: false, requirement: 'Upload a document.' }, now()),
            payOut: (ref) => payOutSeller(db, ref),
            async pay(amountCents, availableAfterMs = 0) {
              const payments = createSandbox({ ...common, method: 'card', availableAfterMs });
              const { ref } = await payments.createCheckout(
                {
                  saleId: randomUUID(),
                  lines: [{ name: 'House', amountCents }],
                  amountCents,
                  description: 'House',
                  buyerEmail: 'buyer@market.example',
                  successUrl: 'https://market.example/done',
                  cancelUrl: 'https://market.example/back',
                  expiresAt: new Date(now().getTime() + HOUR),
                },
                randomUUID(),
              );
              await performSandboxAction(db, ref, 'pay', now());
              return (await payments.getCheckout(ref)).paymentRef ?? '';
            },
          },
        }
      : {
          items: {
            fail: settle('fail'),
            hold: settle('hold'),
            block: settle('block'),
            unclaim: settle('unclaim'),
            expire: settle('return'),
          },
        }),
    stop: async () => undefined,
  };
}
