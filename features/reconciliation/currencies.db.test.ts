import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStripe } from '#gateways/payments/stripe/provider.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, paymentsOf, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { reconcileAccounts } from './commands/reconcile-accounts.ts';
import { clearingBalances } from './reads.ts';

// The sandbox knows dollars only; an account at Stripe holds a balance in each currency.
await describeOnDatabase('money that Stripe holds in another currency', (open) => {
  let db: Database;
  let stripe: FakeStripe;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    const now = () => scenario.clock.now();
    stripe = await startFakeStripe({ now });
    const { url: apiBase, webhookSecret } = stripe;
    const port = createStripe({ secretKey: stripe.test.secretKey, webhookSecret, apiBase, now });
    scenario = await createSaleScenario(db, { providers: paymentsOf(port) });
  });
  afterAll(async () => {
    await stripe.stop();
    await db.close();
  });

  const reconcile = () => reconcileAccounts(scenario.system, { syncSale: () => Promise.resolve() });
  const breaks = () =>
    db.q().selectFrom('breaks').select(['kind', 'subject', 'expected_cents', 'actual_cents']).execute();

  it('is a break at once, and no part of the balance that is compared', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    stripe.test.actors.pay(ref);
    await scenario.sync(saleId);
    const { id } = stripe.test.account.books.record({
      type: 'charge',
      reporting_category: 'charge',
      amount: 9_000,
      fee: 200,
      currency: 'eur',
      source: null,
    });
    const isRight = { pendingCents: 0, unexplainedCents: 0 };
    // What no run has stored yet: the payment, which is posted already.
    expect(await clearingBalances(scenario.system)).toMatchObject([{ comparison: { unexplainedCents: 0 } }]);
    for (const opened of [1, 0]) {
      expect(await reconcile()).toMatchObject([{ outcome: 'finished', opened, balance: isRight }]);
      expect(await clearingBalances(scenario.system)).toMatchObject([{ comparison: isRight }]);
    }
    expect(await breaks()).toEqual([
      { kind: 'unknown_currency', subject: id, expected_cents: 0, actual_cents: 8_800 },
    ]);
  });
});
