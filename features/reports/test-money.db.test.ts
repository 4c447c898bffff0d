import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerDetails } from '#features/buyers/reads.ts';
import { escrowListings } from '#features/listing-review/reads.ts';
import { sellerRecord } from '#features/listing-review/seller-record.ts';
import { marketplaceTotals, recentPayouts } from '#features/overview/reads.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { failedPayouts, notYetPayable, pendingPayouts } from '#features/payout-runs/reads.ts';
import { ownSales, sellerSales, sellerTotals } from '#features/sales/reads.ts';
import { managedSeller } from '#features/sellers/reads.ts';
import { closeMonths } from '#features/statements/commands/close-months.ts';
import { statementOverview } from '#features/statements/reads.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { installJobs } from '#platform/jobs/boss.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { describeOnDatabase, serverIsReachable } from '#tests/support/database/test-database.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { paymentsInTwoModes, type TwoModes } from '#tests/support/fixtures/two-modes.ts';
import { foldReportEvents } from './commands/fold-events.ts';
import type { ReportQuery } from './model.ts';
import { engagementReport, financialReport } from './reads.ts';

const march: ReportQuery = { from: '2026-03-01', to: '2026-03-31', zone: 'UTC', grouping: 'weekly' };
/** of one sale: 80 % of $742,000.00 is the seller's */
const [PRICE, SHARE] = [742_000_00, 593_600_00];

await describeOnDatabase('test money', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let modes: TwoModes;
  const clock = testClock('2026-03-03T10:00:00Z');
  beforeAll(async () => {
    db = await open();
    modes = paymentsInTwoModes(db, clock);
    scenario = await createSaleScenario(db, { clock, providers: modes });
    await released('test');
    await released('live');
    await released('test');
  });
  afterAll(() => db.close());

  async function released(mode: 'live' | 'test'): Promise<string> {
    modes.live = mode === 'live';
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    modes.live = false;
    return saleId;
  }
  /** On a server that takes real payments, or on one that has test money only. */
  const on = (server: 'production' | 'sandbox', actor = scenario.admin) => ({
    ...scenario.contextFor(actor),
    config: { ...testConfig, sandboxPayments: server === 'sandbox' },
  });
  const sellerId = () => scenario.seller.agentId ?? '';

  it.each([
    ['production', 1],
    ['sandbox', 3],
  ] as const)('on a server for %s: %i of three sales count in totals and reports', async (server, n) => {
    expect(await marketplaceTotals(on(server))).toMatchObject({
      sales: { count: n, cents: n * PRICE },
      adminFeesCents: n * (PRICE - SHARE),
    });
    for (const fold of [false, true]) {
      if (fold) await foldReportEvents(scenario.system);
      expect(await financialReport(on(server), march)).toMatchObject({
        figures: {
          revenueCents: n * PRICE,
          commissionsCents: n * SHARE,
          adminFeesCents: n * (PRICE - SHARE),
          sales: n,
          averageCents: PRICE,
        },
        pendingPayoutsCents: n * SHARE,
      });
      const { funnel } = await engagementReport(on(server), march);
      expect(funnel).toEqual(
        expect.arrayContaining([
          { step: 'checkouts', count: n },
          { step: 'sales', count: n },
        ]),
      );
    }
    expect(await managedSeller(on(server), sellerId())).toMatchObject({
      sales: { count: n, cents: n * PRICE },
    });
    expect(await sellerRecord(on(server), sellerId())).toMatchObject({ closedSales: n });
    expect(await sellerTotals(on(server, scenario.seller))).toMatchObject({
      total: { count: n, cents: n * SHARE },
      proceeds: { priceCents: n * PRICE, proceedsCents: n * SHARE },
    });
    const { statement } = await statementOverview(on(server, scenario.seller), { month: '2026-03' });
    expect(statement.closingCents).toBe(n * SHARE);
  });

  it('is named in the lists of a server that takes real payments', async () => {
    modes.live = false;
    const inEscrow = await scenario.createPaidSale();
    const admin = on('production');
    const modesOf = (rows: readonly { saleId?: string; id?: string; testMode: boolean }[]) =>
      rows.map(({ testMode }) => testMode).sort();
    expect(modesOf(await recentPayouts(admin))).toEqual([false, true, true, true]);
    const { rows } = await notYetPayable(admin);
    expect(modesOf(rows)).toEqual([false, true, true, true]);
    expect((await escrowListings(admin, { page: 1 })).rows).toMatchObject([
      { saleId: inEscrow, testMode: true },
    ]);
    expect(modesOf((await sellerSales(on('production', scenario.seller))).rows)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(modesOf((await ownSales(on('production', scenario.buyer))).rows)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(modesOf((await buyerDetails(admin, { buyerId: scenario.buyer.id })).sales.rows)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(modesOf(await recentPayouts(on('sandbox')))).toEqual([false, false, false, false]);
    await scenario.act(scenario.buyer, inEscrow, 'confirm_closing');
    clock.advance(8 * DAY);
    expect(modesOf((await pendingPayouts(admin)).rows)).toEqual([false, true, true, true]);
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'failed' })
      .where('id', '=', inEscrow)
      .execute();
    expect((await failedPayouts(admin)).rows).toMatchObject([{ saleId: inEscrow, testMode: true }]);
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'pending' })
      .where('id', '=', inEscrow)
      .execute();
  });

  it('stands on no statement, but for a sale that has begun on one', async () => {
    clock.advance(Date.parse('2026-04-01T03:00:00Z') - clock.now().getTime());
    const { rows: earlier } = await ownSales(on('sandbox', scenario.buyer));
    // A month that was closed while all money was test money.
    const early = await released('test');
    clock.advance(30 * DAY);
    await closeMonths(scenario.system);
    const seller = on('production', scenario.seller);
    const balance = async () =>
      (await statementOverview(seller, { month: clock.now().toISOString().slice(0, 7) })).statement
        .closingCents;
    const n = earlier.length + 1;
    expect(await balance()).toBe(n * SHARE);
    await released('test');
    await released('live');
    expect(await balance()).toBe((n + 1) * SHARE);
    const refunded = await refundSale(scenario.contextFor({ ...scenario.admin, provedAt: clock.now() }), {
      saleId: early,
      baseCents: PRICE,
      feesCents: 0,
      reason: 'The roof leaks.',
      idempotencyKey: crypto.randomUUID(),
    });
    expect(refunded).toMatchObject({ ok: true });
    await scenario.settle();
    clock.advance(HOUR);
    await scenario.settle();
    expect(await balance()).toBe(n * SHARE);
  });
});

describe('the migration to reports without test money', () => {
  it('takes what was counted from one name to the other, at the same times', async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    const db = await openDatabase({ url: own?.url, dataDir: null });
    try {
      await migrateTo(db, '0099_session_end');
      // The commands of today ask for a column that came later.
      await sql`alter table property_sales add column property_gone_at timestamptz`.execute(db.q());
      await installJobs(db);
      const clock = testClock('2026-03-03T10:00:00Z');
      const modes = paymentsInTwoModes(db, clock);
      const scenario = await createSaleScenario(db, { clock, providers: modes });
      for (const live of [true, false, false]) {
        modes.live = live;
        await scenario.createPaidSale();
        clock.advance(DAY);
      }
      await foldReportEvents(scenario.system);
      await sql`alter table property_sales drop column property_gone_at`.execute(db.q());
      await migrate(db);
      for (const [sandboxPayments, n] of [
        [false, 1],
        [true, 3],
      ] as const) {
        const ctx = testContext(db, {
          actor: scenario.admin,
          now: clock.now,
          config: { ...testConfig, sandboxPayments },
        });
        expect((await financialReport(ctx, march)).figures).toMatchObject({
          revenueCents: n * PRICE,
          commissionsCents: n * SHARE,
          sales: n,
          averageCents: PRICE,
        });
        expect((await engagementReport(ctx, march)).funnel).toContainEqual({ step: 'checkouts', count: n });
      }
      const { rows } = await sql`select metric from report_events where metric not like 'test%'
        and metric not in ('payments', 'paid') and value > 0`.execute(db.q());
      expect(rows).toEqual([]);
    } finally {
      await db.close();
      await own?.drop();
    }
  });
});
