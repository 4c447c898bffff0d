import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { syncSalePayouts } from '#features/payouts/commands/sync-sale-payouts.ts';
import { recordMovement } from '#gateways/payments/sandbox/ledger.ts';
import { defaultPayoutAccount } from '#gateways/payouts/sandbox/rules.ts';
import { settlePayout, settlePayoutItem } from '#gateways/payouts/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { postBreak } from './commands/post-break.ts';
import { type AccountResult, reconcileAccounts } from './commands/reconcile-accounts.ts';

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('reconciliation of payouts', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let account: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    account = await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  const breaksOf = (saleId: string) =>
    db
      .q()
      .selectFrom('breaks')
      .select(['kind', 'expected_cents as expected', 'actual_cents as actual', 'state'])
      .where('sale_id', '=', saleId)
      .execute();
  const itemsOf = async (payoutId: string) =>
    (
      await db
        .q()
        .selectFrom('sandbox_payout_items as i')
        .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
        .select('i.ref')
        .where('p.key', '=', await keyOf(payoutId))
        .orderBy('i.id')
        .execute()
    ).map(({ ref }) => ref);
  const now = () => scenario.saleScenario.clock.now();
  const keyOf = async (payoutId: string) =>
    (
      await db
        .q()
        .selectFrom('payouts')
        .select('idempotency_key as key')
        .where('id', '=', payoutId)
        .executeTakeFirstOrThrow()
    ).key;

  /** Reconciles at once, and again four days later, when nothing can only be late anymore; what the second time says. */
  async function reconcile({ sync = false } = {}): Promise<Map<string, AccountResult>> {
    const run = () =>
      reconcileAccounts(scenario.saleScenario.system, {
        syncSale: (saleId) =>
          sync ? syncSalePayouts(scenario.saleScenario.system, { saleId }) : Promise.resolve(),
      });
    await run();
    scenario.saleScenario.clock.advance(4 * DAY);
    return new Map((await run()).map((result) => [result.provider, result]));
  }
  const agrees = { outcome: 'finished', opened: 0, balance: { pendingCents: 0, unexplainedCents: 0 } };
  const openBreaks = async () =>
    (await db.q().selectFrom('breaks').select('kind').where('state', '<>', 'resolved').execute()).map(
      ({ kind }) => kind,
    );

  it('matches transfers out of card and crypto payments, what was taken back, and what came back', async () => {
    await scenario.fund('stripe', 2_000_000_00);
    const card = await scenario.releasedSale();
    await scenario.pay(card);
    const crypto = await scenario.releasedSale('crypto');
    await scenario.pay(crypto);
    await db
      .q()
      .updateTable('sandbox_accounts')
      .set({ balance_cents: 90_000_00 })
      .where('ref', '=', account)
      .execute();
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
    await scenario.setUpPaypal();
    const saleId = await scenario.releasedSale();
    await scenario.fund('paypal', 2_000_000_00);
    const payoutId = await scenario.pay(saleId);
    const items = await itemsOf(payoutId);
    for (const ref of items.slice(0, 10)) await settlePayoutItem(db, ref, 'arrive', now());
    await scenario.sync(payoutId);
    const [unclaimed, ...rest] = items.slice(10);
    await settlePayoutItem(db, unclaimed ?? '', 'unclaim', now());
    for (const ref of rest) await settlePayoutItem(db, ref, 'arrive', now());
    await scenario.sync(payoutId);
    // The first run looks back to the first payout, however long ago that is.
    scenario.saleScenario.clock.advance(3 * DAY);
    expect((await reconcile()).get('sandbox-paypal')).toMatchObject({ opened: 0 });
    await settlePayoutItem(db, unclaimed ?? '', 'return', now());
    // Nobody tells us: the books follow because the transaction asks for it.
    expect((await reconcile({ sync: true })).get('sandbox-paypal')).toMatchObject(agrees);
    await retryPayout(scenario.admin(), { saleId });
    const again = await scenario.pay(saleId);
    await settlePayout(db, await keyOf(again), 'arrive', now());
    await scenario.sync(again);
    expect((await reconcile()).get('sandbox-paypal')).toMatchObject(agrees);
    expect(await openBreaks()).toEqual([]);
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });

  it('finds a transfer that was reversed and a payout that came back, of which nobody told us', async () => {
    await scenario.setUpStripe();
    const byStripe = await scenario.releasedSale();
    const transfer = await scenario.pay(byStripe);
    await scenario.setUpPaypal();
    const byPaypal = await scenario.releasedSale();
    const payout = await scenario.pay(byPaypal);
    await settlePayout(db, await keyOf(payout), 'arrive', now());
    await scenario.sync(payout);
    expect((await reconcile()).get('sandbox-paypal')).toMatchObject(agrees);
    await settlePayout(db, await keyOf(transfer), 'reverse', now());
    const [item] = await itemsOf(payout);
    await settlePayoutItem(db, item ?? '', 'refund', now());
    await reconcile();
    await reconcile();
    expect(await breaksOf(byStripe)).toEqual([
      { kind: 'transfer_reversed', expected: 0, actual: SHARE, state: 'open' },
    ]);
    expect(await breaksOf(byPaypal)).toEqual([
      { kind: 'payout_returned', expected: 0, actual: 20_000_00, state: 'open' },
    ]);
    // Nothing more is paid while it is in doubt where the money is.
    for (const saleId of [byStripe, byPaypal])
      expect((await scenario.saleScenario.sale(saleId)).frozen_at).not.toBeNull();
    for (const saleId of [byStripe, byPaypal])
      await syncSalePayouts(scenario.saleScenario.system, { saleId });
    const results = await reconcile();
    for (const provider of ['sandbox-card', 'sandbox-paypal'])
      expect(results.get(provider)).toMatchObject(agrees);
    for (const saleId of [byStripe, byPaypal]) {
      expect(await breaksOf(saleId)).toMatchObject([{ state: 'resolved' }]);
      expect(await scenario.saleScenario.sale(saleId)).toMatchObject({
        frozen_at: null,
        payout_status: 'failed',
      });
    }
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });

  it('leaves the books of a sale in order when an administrator posts what came back to another account', async () => {
    await scenario.setUpPaypal();
    const saleId = await scenario.releasedSale();
    await scenario.fund('paypal', 2_000_000_00);
    const payout = await scenario.pay(saleId);
    await settlePayout(db, await keyOf(payout), 'arrive', now());
    await scenario.sync(payout);
    await reconcile();
    const [item] = await itemsOf(payout);
    await settlePayoutItem(db, item ?? '', 'refund', now());
    await reconcile();
    const { id: breakId } = await db
      .q()
      .selectFrom('breaks')
      .select('id')
      .where('sale_id', '=', saleId)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow();
    const post = { breakId, account: 'bank', reason: 'Taken out by hand' };
    expect(await postBreak(scenario.admin(), post)).toEqual({ ok: true });
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });

  it('records one that asking the provider mends as a break that has ended', async () => {
    await scenario.setUpStripe();
    const saleId = await scenario.releasedSale();
    const transfer = await scenario.pay(saleId);
    await reconcile();
    await settlePayout(db, await keyOf(transfer), 'reverse', now());
    expect((await reconcile({ sync: true })).get('sandbox-card')).toMatchObject({
      resolvedBySync: 1,
      opened: 0,
    });
    expect(await breaksOf(saleId)).toEqual([
      { kind: 'transfer_reversed', expected: 0, actual: SHARE, state: 'resolved' },
    ]);
    expect((await scenario.saleScenario.sale(saleId)).payout_status).toBe('failed');
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
