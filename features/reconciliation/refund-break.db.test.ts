import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createOrphanBreak } from '#tests/support/fixtures/breaks.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { refundBreak } from './commands/refund-break.ts';

await describeOnDatabase('sending a payment of no sale back', (open) => {
  let db: Database;
  let bench: SaleScenario;
  beforeAll(async () => {
    db = await open();
    bench = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const refund = (breakId: string, reason = 'Not ours') =>
    refundBreak(bench.contextFor(bench.admin), { breakId, reason });
  const refunds = (breakId: string) =>
    db.q().selectFrom('break_refunds').selectAll().where('break_id', '=', breakId).execute();

  it('is asked for once, with its audit row', async () => {
    const { breakId, accountId } = await createOrphanBreak(db);
    await expect(refund(breakId)).resolves.toEqual({ ok: true });
    await expect(refund(breakId)).resolves.toEqual({ ok: false, reason: 'refund_running' });
    expect(await refunds(breakId)).toMatchObject([
      {
        provider_account_id: accountId,
        amount_cents: 5_000,
        reason: 'Not ours',
        requested_by: bench.admin.id,
      },
    ]);
    const audited = db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'after'])
      .where('entity', '=', 'break')
      .where('entity_id', '=', breakId)
      .where('action', '=', 'break.refund');
    expect(await audited.execute()).toEqual([
      { action: 'break.refund', actor_id: bench.admin.id, after: { amountCents: 5_000, reason: 'Not ours' } },
    ]);
  });

  it('needs a reason', async () => {
    const { breakId } = await createOrphanBreak(db);
    await expect(refund(breakId, ' ')).resolves.toEqual({ ok: false, reason: 'no_reason' });
    expect(await refunds(breakId)).toEqual([]);
  });

  it.each([
    ['in another currency', 'payment', { currency: 'eur' }],
    ['without a checkout', 'payment', { checkoutRef: null }],
    ['that is another kind of transaction', 'adjustment', {}],
  ] as const)('is refused for money %s', async (_, kind, options) => {
    const { breakId } = await createOrphanBreak(db, kind, options);
    await expect(refund(breakId)).resolves.toEqual({ ok: false, reason: 'not_refundable' });
    expect(await refunds(breakId)).toEqual([]);
  });

  it('is refused for the checkout of a sale, and for one that another payment names', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing());
    const { provider_account_id: accountId } = await bench.sale(saleId);
    const ofSale = await createOrphanBreak(db, 'payment', { checkoutRef: ref, accountId });
    const shared = await createOrphanBreak(db, 'payment', { checkoutRef: 'cs_shared' });
    await db
      .q()
      .insertInto('provider_transactions')
      .values({
        provider_account_id: shared.accountId,
        ref: 'txn_other',
        kind: 'payment',
        amount_cents: 700,
        fee_cents: 0,
        currency: 'usd',
        checkout_ref: 'cs_shared',
        booked_at: new Date(),
      })
      .execute();
    for (const { breakId } of [ofSale, shared]) {
      await expect(refund(breakId)).resolves.toEqual({ ok: false, reason: 'not_refundable' });
      expect(await refunds(breakId)).toEqual([]);
    }
  });
});
