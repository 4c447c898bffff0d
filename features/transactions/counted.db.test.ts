import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { salesCountedIn } from '#features/reports/drill-down.ts';
import type { FinancialReport, ReportQuery } from '#features/reports/model.ts';
import { financialReport } from '#features/reports/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testConfig } from '#tests/support/fixtures/context.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { paymentsInTwoModes } from '#tests/support/fixtures/two-modes.ts';
import { exportTransactions } from './commands/export-transactions.ts';
import { transactionQueryFrom } from './filters.ts';
import type { Transaction } from './model.ts';
import { transactionList } from './reads.ts';

const march: ReportQuery = {
  from: '2026-03-01',
  to: '2026-03-31',
  zone: 'America/New_York',
  grouping: 'daily',
};

await describeOnDatabase('the sales that a report is made of', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let roofless: string;
  let later: string;
  let report: FinancialReport;
  const clock = testClock('2026-03-06T20:00:00Z');
  const travelTo = (at: string) => clock.advance(Date.parse(at) - clock.now().getTime());

  async function refund(saleId: string, baseCents: number, feesCents: number): Promise<void> {
    const proved = { ...scenario.admin, provedAt: clock.now() };
    const reason = 'The roof';
    const input = { saleId, baseCents, feesCents, reason, idempotencyKey: saleId };
    expect(await refundSale(scenario.contextFor(proved), input)).toMatchObject({ ok: true });
    await scenario.settle();
  }

  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db, { clock });
    await chargeFees(db);
    await scenario.checkout(scenario.otherBuyer, await scenario.createListing());
    roofless = await scenario.createPaidSale(await scenario.createListing({ price_cents: 500_000_01 }));
    travelTo('2026-03-10T12:00:00Z');
    later = await scenario.createPaidSale(await scenario.createListing({ price_cents: 300_000_00 }));
    await refund(roofless, 100_000_00, 1_00);
    // In New York both refunds settle in the evening of the 19th.
    travelTo('2026-03-20T03:30:00Z');
    await scenario.settle();
    await refund(later, 299_999_99, 0);
    travelTo('2026-03-25T12:00:00Z');
    await scenario.settle();
    report = await financialReport(scenario.contextFor(scenario.admin), march);
  });
  afterAll(() => db.close());

  /** The list that a link of the reports leads to. */
  async function opened(href: string): Promise<Transaction[]> {
    const query = transactionQueryFrom(new URL(href, 'http://localhost').searchParams);
    return (await transactionList(scenario.contextFor(scenario.admin), query)).rows;
  }
  const sum = (rows: readonly Transaction[], part: 'priceCents' | 'commissionCents' | 'feesCents') =>
    rows.reduce((cents, { counted }) => cents + (counted?.[part] ?? Number.NaN), 0);

  it('are all that move a point of the revenue, and what they list sums to it', async () => {
    const days = new Map<string, string[]>();
    for (const { bucket, revenueCents } of report.trend) {
      const rows = await opened(salesCountedIn({ ...march, ...bucket }));
      expect([bucket.label, sum(rows, 'priceCents')]).toEqual([bucket.label, revenueCents]);
      if (rows.length > 0) days.set(bucket.label, rows.map(({ id }) => id).toSorted());
    }
    expect(Object.fromEntries(days)).toEqual({
      'Mar 6': [roofless],
      'Mar 10': [later],
      'Mar 19': [roofless],
      'Mar 25': [later],
    });
    const [refunded] = await opened(salesCountedIn({ ...march, from: '2026-03-19', to: '2026-03-19' }));
    expect(refunded?.counted).toEqual({
      priceCents: -100_000_00,
      commissionCents: -80_000_00,
      feesCents: -1_00,
    });
  });

  it('sum to each slice of the distribution', async () => {
    const { figures } = report;
    const rows = await opened(salesCountedIn(march, '-commission'));
    expect(rows.map(({ id }) => id).toSorted()).toEqual([roofless, later].toSorted());
    expect(sum(rows, 'commissionCents')).toBe(figures.commissionsCents);
    expect(sum(rows, 'priceCents') - sum(rows, 'commissionCents')).toBe(figures.adminFeesCents);
    expect(sum(rows, 'feesCents')).toBe(figures.serviceFeesCents);
    // Without a first day they are all that was paid up to the last one.
    const early = await opened(salesCountedIn({ ...march, from: '', to: '2026-03-12' }));
    expect(sum(early, 'priceCents')).toBe(800_000_01);
    // Without days nothing is counted.
    expect(await opened('/?paid=1')).toMatchObject([{ counted: null }, { counted: null }]);
  });

  /** The CSV of the list that a link leads to: a record for each sale. */
  async function exported(href: string): Promise<Record<string, string>[]> {
    const { page: _, ...query } = transactionQueryFrom(new URL(href, 'http://localhost').searchParams);
    const file = await exportTransactions(scenario.contextFor(scenario.admin), { format: 'csv', query });
    return file.ok ? parse(await text(file.body), { columns: true, bom: true }) : [];
  }

  it('sum to it in their file too', async () => {
    const total = (records: readonly Record<string, string>[], column: string) =>
      records.reduce((cents, record) => cents + Math.round(Number(record[column]) * 100), 0);
    const points = report.trend.filter(({ revenueCents }) => revenueCents !== 0);
    expect(points).toHaveLength(4);
    for (const { bucket, revenueCents } of points) {
      const records = await exported(salesCountedIn({ ...march, ...bucket }));
      expect(total(records, 'Sale Price in This Period (USD)')).toBe(revenueCents);
    }
    const all = await exported(salesCountedIn(march, '-commission'));
    expect(total(all, 'Commission in This Period (USD)')).toBe(report.figures.commissionsCents);
    expect(total(all, 'Fees in This Period (USD)')).toBe(report.figures.serviceFeesCents);
    // What the sale was agreed for stands there as well.
    expect(total(all, 'Sale Price (USD)')).toBe(800_000_01);
    // A list that no report leads to has no such columns.
    const [sale = {}] = await exported('/?from=2026-03-06&to=2026-03-06&zone=America/New_York');
    expect(Object.keys(sale).filter((column) => column.includes('Period'))).toEqual([]);
    expect(sale['Sale Id']).toBeDefined();
  });
});

await describeOnDatabase('the sales of a report where some were paid with test keys', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let paid: Record<'live' | 'test', string>;
  const clock = testClock('2026-03-06T20:00:00Z');
  beforeAll(async () => {
    db = await open();
    const modes = paymentsInTwoModes(db, clock);
    scenario = await createSaleScenario(db, { clock, providers: modes });
    const test = await scenario.createPaidSale();
    clock.advance(DAY);
    modes.live = true;
    paid = { live: await scenario.createPaidSale(), test };
  });
  afterAll(() => db.close());

  it.each([
    ['takes real payments', false, ['live']],
    ['has test money only', true, ['live', 'test']],
  ] as const)('are those that it counts, on a server that %s', async (_, sandboxPayments, counted) => {
    const admin = { ...scenario.contextFor(scenario.admin), config: { ...testConfig, sandboxPayments } };
    const { figures } = await financialReport(admin, march);
    const query = transactionQueryFrom(new URL(salesCountedIn(march), 'http://localhost').searchParams);
    const { rows, total } = await transactionList(admin, query);
    expect(rows.map(({ id }) => id)).toEqual(counted.map((mode) => paid[mode]));
    expect(total.count).toBe(counted.length);
    expect(rows.reduce((cents, row) => cents + (row.counted?.priceCents ?? 0), 0)).toBe(figures.revenueCents);
    // The list itself has them all.
    const all = await transactionList(admin, { ...query, paid: false, from: '', to: '' });
    expect(all.rows).toHaveLength(2);
  });
});
