import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { syncSalePayouts } from '#features/payouts/commands/sync-sale-payouts.ts';
import { recordMovement } from '#gateways/payments/sandbox/ledger.ts';
import { defaultPayoutAccount } from '#gateways/payouts/sandbox/rules.ts';
import { settlePayout, settlePayoutItem } from '#gateways/payouts/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { type AccountResult, reconcileAccounts } from './commands/reconcile-accounts.ts';

await describeOnEachDatabase('reconciliation of payouts', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let account: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    account = await scenario.useStripe();
  });
  afterAll(() => db.close());

  const now = () => scenario.bench.clock.now();
  const keyOf = async (payoutId: string) =>
    (
      await db
        .q()
        .selectFrom('payouts')
        .select('idempotency_key as key')
        .where('id', '=', payoutId)
        .executeTakeFirstOrThrow()
    ).key;

  /** Four days later, when nothing can only be late any more. */
  async function reconcile({ sync = false } = {}): Promise<Map<string, AccountResult>> {
    scenario.bench.clock.advance(4 * DAY);
    const results = await reconcileAccounts(scenario.bench.system, {
      syncSale: (saleId) => (sync ? syncSalePayouts(scenario.bench.system, { saleId }) : Promise.resolve()),
    });
    return new Map(results.map((result) => [result.provider, result]));
  }
  const agrees = { outcome: 'finished', opened: 0, balance: { pendingCents: 0, unexplainedCents: 0 } };
  const openBreaks = async () =>
    (await db.q().selectFrom('breaks').select('kind').where('state', '<>', 'resolved').execute()).map(
      ({ kind }) => kind,
    );

  it('matches transfers out of card and crypto payments, what was taken back, and what came back', async () => {
    await scenario.fund('stripe', 2_000_000_00);
    await db.q().updateTable('sandbox_transactions').set({ kind: 'bank_payout_return' }).where('kind', '=', 'adjustment').execute();
    const card = await scenario.releasedSale();
    await scenario.pay(card);
    const crypto = await scenario.releasedSale('crypto');
    await scenario.pay(crypto);
    await db.q().updateTable('sandbox_accounts').set({ balance_cents: 90_000_00 }).where('ref', '=', account).execute();
    await scenario.refund(card, 100_000_00);
    await scenario.takeBack(card);
    expect((await reconcile()).get('sandbox-card')).toMatchObject(agrees);
    const third = await scenario.releasedSale();
    const payoutId = await scenario.pay(third);
    await settlePayout(db, await keyOf(payoutId), 'return', now());
    await scenario.sync(payoutId);
    const results = await reconcile();
    expect(results.get('sandbox-card')).toMatchObject(agrees);
    expect(results.get('sandbox-crypto')).toMatchObject(agrees);
    expect(await openBreaks()).toEqual([]);
  });

  it('matches items and fees of PayPal, and waits for those that nobody has claimed', async () => {
    await scenario.usePaypal();
    await scenario.fund('paypal', 2_000_000_00);
    await db.q().updateTable('sandbox_transactions').set({ kind: 'bank_payout_return' }).where('kind', '=', 'adjustment').execute();
    const saleId = await scenario.releasedSale();
    const payoutId = await scenario.pay(saleId);
    const items = await db
      .q()
      .selectFrom('sandbox_payout_items as i')
      .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
      .select('i.ref')
      .where('p.key', '=', await keyOf(payoutId))
      .orderBy('i.id')
      .execute();
    for (const { ref } of items.slice(0, 10)) await settlePayoutItem(db, ref, 'arrive', now());
    await scenario.sync(payoutId);
    const [unclaimed, ...rest] = items.slice(10);
    await settlePayoutItem(db, unclaimed?.ref ?? '', 'unclaim', now());
    for (const { ref } of rest) await settlePayoutItem(db, ref, 'arrive', now());
    await scenario.sync(payoutId);
    expect((await reconcile()).get('sandbox-paypal')).toMatchObject({ opened: 0 });
    await settlePayoutItem(db, unclaimed?.ref ?? '', 'return', now());
    // Nobody tells us: the books follow because the transaction asks for it.
    expect((await reconcile({ sync: true })).get('sandbox-paypal')).toMatchObject(agrees);
    await retryPayout(scenario.admin(), { saleId });
    const again = await scenario.pay(saleId);
    await settlePayout(db, await keyOf(again), 'arrive', now());
    await scenario.sync(again);
    expect((await reconcile()).get('sandbox-paypal')).toMatchObject(agrees);
    expect(await openBreaks()).toEqual([]);
    expect(await checkLedger(scenario.bench.system)).toEqual([]);
  });

  it('finds a transfer that nobody here asked for', async () => {


    await recordMovement(
      db,
      defaultPayoutAccount('stripe'),
      { kind: 'transfer', amountCents: -5_00, objectRef: 'tr_stranger' },
      now(),
    );
    expect((await reconcile()).get('sandbox-card')).toMatchObject({ opened: 1 });
    expect(await openBreaks()).toEqual(['unknown_transaction']);
  });
});
