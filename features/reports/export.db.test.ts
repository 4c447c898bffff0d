import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { decimalAmount, dollarsAndCents } from '#platform/money.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { readPdf } from '#tests/support/files/read-pdf.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { exportReportPdf } from './commands/export-report-pdf.ts';
import { exportReportTable } from './commands/export-report-table.ts';
import type { ReportQuery } from './model.ts';
import { financialReport } from './reads.ts';

await describeOnDatabase('reports as files', (open) => {
  let db: Database;
  let ctx: Ctx;
  let query: ReportQuery;

  beforeAll(async () => {
    db = await open();
    const scenario = await createSaleScenario(db);
    await scenario.createPaidSale();
    const day = scenario.clock.now().toISOString().slice(0, 10);
    query = { from: day, to: day, zone: 'UTC', grouping: 'daily' };
    ctx = testContext(db, { actor: await createUser(db, 'admin'), now: scenario.clock.now });
  });
  afterAll(() => db.close());

  const audited = () =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['entity_id', 'after'])
      .where('action', '=', 'report.export')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();

  it('hold the figures of the report, and that they were exported is on record', async () => {
    const { figures } = await financialReport(ctx, query);
    expect(figures.revenueCents).toBeGreaterThan(0);
    const file = await exportReportTable(ctx, { tab: 'financial', table: 'summary', query });
    const [now, before] = parse(file.body, { columns: true, bom: true }) as Record<string, string>[];
    expect(now).toMatchObject({
      From: query.from,
      To: query.to,
      'Total Revenue (USD)': decimalAmount(figures.revenueCents),
      'Total Commissions (USD)': decimalAmount(figures.commissionsCents),
      'Service Fees (USD)': decimalAmount(figures.serviceFeesCents),
      Sales: '1',
    });
    expect(before).toMatchObject({
      'Total Revenue (USD)': '0.00',
      Sales: '0',
      'Pending Payouts (USD)': '0.00',
    });
    expect(await audited()).toEqual({
      entity_id: 'financial',
      after: { format: 'csv', table: 'summary', ...query },
    });

    const pdf = await exportReportPdf(ctx, { tab: 'financial', query });
    expect(pdf.name).toBe(`report_financial_${query.from}_${query.to}.pdf`);
    const { pages } = await readPdf(pdf.body);
    expect(pages.join('\n')).toContain(dollarsAndCents(figures.revenueCents));
    expect(await audited()).toEqual({ entity_id: 'financial', after: { format: 'pdf', ...query } });
    const again = await exportReportPdf(ctx, { tab: 'financial', query });
    expect(Buffer.from(again.body).equals(pdf.body)).toBe(true);
  });

  it.each([
    ['tables', (as: Ctx) => exportReportTable(as, { tab: 'financial', table: 'summary', query })],
    ['documents', (as: Ctx) => exportReportPdf(as, { tab: 'financial', query })],
  ])('are %s for signed-in administrators alone; nobody else uses up a limit', async (_, exported) => {
    const buyer = testContext(db, { actor: await createUser(db, 'buyer') });
    await db.q().deleteFrom('rate_limits').execute();
    await expect(exported(buyer)).rejects.toThrow(Forbidden);
    for (const actor of [{ kind: 'visitor' }, { kind: 'system', name: 'jobs' }] as const)
      await expect(exported(testContext(db, { actor }))).rejects.toThrow(Unauthenticated);
    expect(await db.q().selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  });
});
