import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { recordSearch } from '#features/search/commands/record-search.ts';
import type { SearchableType } from '#features/search/model.ts';
import { parseCriteria } from '#features/search/rules.ts';
import { type Actor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { reportFindings } from '#tests/promises/report-checks.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { countMarket } from './commands/count-market.ts';
import { foldReportEvents } from './commands/fold-events.ts';
import { trimTerms } from './commands/trim-terms.ts';
import type { ReportQuery } from './model.ts';
import { engagementReport, financialReport, registrationReport, searchReport } from './reads.ts';

const week: ReportQuery = {
  from: '2026-03-06',
  to: '2026-03-12',
  zone: 'America/New_York',
  grouping: 'daily',
};
const march: ReportQuery = { ...week, from: '2026-03-01', to: '2026-03-31' };

await describeOnDatabase('reports', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  const clock = testClock('2026-03-06T20:00:00Z');
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db, { clock });
  });
  afterAll(() => db.close());
  const ctx = (actor: Actor = scenario.admin) => scenario.contextFor(actor);
  const travelTo = (at: string) => clock.advance(Date.parse(at) - clock.now().getTime());

  it('are for administrators alone', async () => {
    for (const read of [financialReport, registrationReport, searchReport, engagementReport]) {
      await expect(read(ctx(scenario.seller), week)).rejects.toBeInstanceOf(Forbidden);
      await expect(read(ctx(visitor), week)).rejects.toBeInstanceOf(Unauthenticated);
    }
  });

  it('count a payment on its day, and a refund on the day on which it settles', async () => {
    const abandoned = await scenario.checkout(scenario.otherBuyer, await scenario.createListing());
    const saleId = await scenario.createPaidSale(await scenario.createListing({ price_cents: 500_000_00 }));
    const refund = {
      saleId,
      baseCents: 100_000_00,
      feesCents: 0,
      reason: 'The roof',
      idempotencyKey: 'roof',
    };
    await refundSale(ctx({ ...scenario.admin, provedAt: clock.now() }), refund);
    await scenario.settle();
    expect((await financialReport(ctx(), march)).figures.revenueCents).toBe(500_000_00);
    travelTo('2026-03-20T03:30:00Z');
    await scenario.settle();
    const whole = await financialReport(ctx(), march);
    const sale = await scenario.sale(saleId);
    expect(sale.returned_base_cents).toBe(100_000_00);
    expect((await scenario.sale(abandoned.saleId)).sale_date).toBeNull();
    expect(whole.figures).toEqual({
      revenueCents: 400_000_00,
      commissionsCents: 320_000_00,
      adminFeesCents: 80_000_00,
      serviceFeesCents: sale.buyer_fees_cents + sale.seller_fees_cents,
      sales: 1,
      // Of what was paid: what went back does not make a sale smaller.
      averageCents: 500_000_00,
    });
    // In New York the refund settled in the evening of the 19th, after the clocks had changed.
    const days = (report: typeof whole) =>
      report.trend.flatMap(({ bucket, revenueCents, sales }) =>
        revenueCents === 0 && sales === 0 ? [] : [[bucket.label, revenueCents, sales]],
      );
    expect(days(whole)).toEqual([
      ['Mar 6', 500_000_00, 1],
      ['Mar 19', -100_000_00, 0],
    ]);
    expect(whole.trend).toHaveLength(31);
    expect(days(await financialReport(ctx(), { ...march, zone: 'UTC' })).map(([day]) => day)).toEqual([
      'Mar 6',
      'Mar 20',
    ]);
    await foldReportEvents(scenario.system);
    expect(await financialReport(ctx(), march)).toEqual(whole);
    const after = await financialReport(ctx(), { ...march, from: '2026-04-01', to: '2026-05-01' });
    expect(after.before).toEqual(whole.figures);
    // The refund alone: there is nothing to average.
    const refundOnly = await financialReport(ctx(), { ...march, from: '2026-03-19', to: '2026-03-19' });
    expect(refundOnly.figures).toMatchObject({ revenueCents: -100_000_00, sales: 0, averageCents: 0 });
    expect(after.figures).toMatchObject({ revenueCents: 0, sales: 0, averageCents: 0 });
  });

  it('say what sellers of the range are owed, and what is on its way to them', async () => {
    const nothing = { pendingPayoutsCents: 0, processingPayoutsCents: 0 };
    expect(await financialReport(ctx(), week)).toMatchObject(nothing);
    const { rows } = await sql<{
      id: string;
    }>`select id from property_sales where sale_date is not null`.execute(db.q());
    const saleId = rows[0]?.id ?? '';
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    const { seller_payable: payable = 0 } = await scenario.accountBalances(saleId);
    expect(payable).toBeLessThan(0);
    expect(await financialReport(ctx(), week)).toMatchObject({ ...nothing, pendingPayoutsCents: -payable });
    expect(await financialReport(ctx(), { ...week, from: '2026-03-07' })).toMatchObject(nothing);
    await sql`update property_sales set payout_status = 'processing' where id = ${saleId}`.execute(db.q());
    expect(await financialReport(ctx(), week)).toMatchObject({
      ...nothing,
      processingPayoutsCents: -payable,
    });
  });

  it('count registrations of buyers', async () => {
    for (const [role, at] of [
      ['buyer', '2026-03-08T04:59:00Z'],
      ['buyer', '2026-03-08T05:00:00Z'],
      ['agent', '2026-03-08T05:00:00Z'],
      ['buyer', '2026-03-09T03:59:00Z'],
      ['buyer', '2026-03-09T04:00:00Z'],
      ['buyer', '2026-03-02T12:00:00Z'],
    ] as const) {
      const { id } = await createUser(db, role);
      await db.q().updateTable('profiles').set({ created_at: at }).where('id', '=', id).execute();
    }
    const report = await registrationReport(ctx(), week);
    expect(report).toMatchObject({ total: 4, before: 1 });
    // The 8th has 23 hours: clocks go forward.
    expect(report.trend.map(({ buyers }) => buyers)).toEqual([0, 1, 2, 1, 0, 0, 0]);
  });

  it('show the way from view to sale, and how fast sellers reply', async () => {
    const property_id = await scenario.createListing();
    const view = (viewer: string, viewed_at: string) => ({ property_id, viewer, viewed_at });
    await db
      .q()
      .insertInto('property_view_events')
      .values([
        view('one', '2026-03-11T12:00:00Z'),
        view('one', '2026-03-11T13:00:00Z'),
        view('two', '2026-03-11T14:00:00Z'),
        view('one', '2026-03-12T23:30:00Z'),
        view('one', '2026-03-13T03:30:00Z'),
      ])
      .execute();
    const asked = { property_id, user_id: scenario.buyer.id, created_at: '2026-03-11T12:00:00Z' };
    await db.q().insertInto('property_watches').values(asked).execute();
    await db
      .q()
      .insertInto('property_inquiries')
      .values({ ...asked, message: 'Is it quiet?', first_reply_at: '2026-03-11T13:30:00Z' })
      .execute();
    const report = await engagementReport(ctx(), week);
    expect(report.figures).toEqual({ views: 5, watches: 1, inquiries: 1, replySeconds: 5400 });
    expect(report.before).toEqual({ views: 0, watches: 0, inquiries: 0, replySeconds: null });
    expect(report.funnel).toEqual([
      { step: 'views', count: 5 },
      { step: 'watches', count: 1 },
      { step: 'inquiries', count: 1 },
      { step: 'checkouts', count: 2 },
      { step: 'sales', count: 1 },
    ]);
    // Views in the days of New York, viewers in those of UTC.
    expect(report.trend.slice(-2).map(({ views, viewers }) => [views, viewers])).toEqual([
      [3, 2],
      [2, 1],
    ]);
    await foldReportEvents(scenario.system);
    expect(await engagementReport(ctx(), week)).toEqual(report);
    const months = await engagementReport(ctx(), { ...week, grouping: 'monthly' });
    expect(months.trend).toMatchObject([{ views: 5, viewers: 3 }]);
    const { bands } = await searchReport(ctx(), march);
    expect(bands.map(({ views }) => views).reduce((sum, views) => sum + views)).toBe(5);
  });

  it('show what was searched for beside what is on the market', async () => {
    travelTo('2026-03-20T03:30:00Z');
    const { rows: types } = await sql<SearchableType>`
      select id, name, slug, '{}'::text[] as "oldSlugs" from property_types where slug = 'single-family'`.execute(
      db.q(),
    );
    const search = (text: string, results: number) => {
      clock.advance(MINUTE);
      return recordSearch(ctx(scenario.buyer), {
        criteria: parseCriteria(new URLSearchParams(text), types),
        results,
        userAgent: null,
      });
    };
    await search('q=Cedar+Hollow&type=single-family', 3);
    await search('q=cedar++hollow&max=300000', 4);
    await search('q=Moat&min=150000&max=350000', 0);
    await search('q=moat', 0);
    await search('q=97031', 2);
    await search('min=2500000', 1);
    await scenario.createListing({ price_cents: 250_000_00 });
    await countMarket(scenario.system);
    const report = await searchReport(ctx(), march);
    expect(report.topSearches).toEqual([
      { words: 'cedar hollow', searches: 2, results: 4 },
      { words: 'moat', searches: 2, results: 0 },
      { words: '97031', searches: 1, results: 2 },
    ]);
    expect(report.withoutResults).toEqual([{ words: 'moat', searches: 2 }]);
    const listings = await db
      .q()
      .selectFrom('properties')
      .select('id')
      .where('is_public', '=', true)
      .execute();
    const of = (kind: string) =>
      report.demand
        .filter((row) => row.kind === kind)
        .map(({ label, searches, listings }) => [label, searches, listings]);
    expect(of('type')).toEqual([[types[0]?.name, 1, listings.length]]);
    expect(
      of('price')
        .slice(0, 5)
        .map(([label, searches]) => [label, searches]),
    ).toEqual([
      ['0–100k', 1],
      ['100k–200k', 2],
      ['200k–300k', 2],
      ['300k–400k', 1],
      ['400k–500k', 0],
    ]);
    expect(of('price').find(([label]) => label === '200k–300k')).toEqual(['200k–300k', 2, 1]);
    expect(of('price').at(-1)?.slice(0, 2)).toEqual(['2000k+', 1]);
    expect(of('place')).toEqual([
      ['Cedar Hollow, OR', 2, listings.length],
      ['97031', 1, listings.length],
    ]);
    await foldReportEvents(scenario.system);
    for (const range of [
      march,
      { ...march, from: '2026-03-20' },
      { ...march, from: '2026-01-15', to: '2026-04-02' },
    ])
      expect(await searchReport(ctx(), range)).toMatchObject({
        topSearches: report.topSearches,
        demand: report.demand,
      });
    expect((await searchReport(ctx(), week)).topSearches).toEqual([]);
  });

  it('forget the rarest searches of days and months that are over', async () => {
    await sql`insert into search_events (query, results, created_at)
      select 'word ' || n, n % 2, ${clock.now()} from generate_series(1, 500) n`.execute(db.q());
    await foldReportEvents(scenario.system);
    const counted = async () =>
      (
        await sql<{ span: string; count: number }>`select span, count(*)::int as count from report_terms
        where kind = 'words' group by 1 order by 1`.execute(db.q())
      ).rows.map(({ count }) => count);
    const before = await counted();
    clock.advance(9 * DAY);
    await trimTerms(scenario.system);
    expect(await counted()).toEqual([expect.toSatisfy((left) => left < (before[0] ?? 0)), before[1]]);
    clock.advance(40 * DAY + HOUR);
    await trimTerms(scenario.system);
    const after = await counted();
    expect(after[1]).toBe(after[0]);
    await trimTerms(scenario.system);
    expect(await counted()).toEqual(after);
    const { topSearches } = await searchReport(ctx(), march);
    expect(topSearches[0]).toEqual({ words: 'cedar hollow', searches: 2, results: 4 });
  });

  it('are seen to differ from the ledger when a refund writes no event', async () => {
    expect(await reportFindings(scenario.system)).toEqual([]);
    await sql`alter table property_sales disable trigger property_sales_report_update`.execute(db.q());
    await scenario.createPaidSale();
    await sql`alter table property_sales enable trigger property_sales_report_update`.execute(db.q());
    expect((await reportFindings(scenario.system)).join('\n')).toContain('reports: revenue in total');
  });

  it('take the same few statements for a day and for five years', async () => {
    const long = { ...week, from: '2021-03-13' };
    for (const read of [financialReport, registrationReport, searchReport, engagementReport])
      for (const query of [week, long])
        expect(
          await countQueries(db, (counted) => read({ ...ctx(), db: counted }, query)),
        ).toBeLessThanOrEqual(4);
  });
});
