import { afterAll, beforeAll, expect, it } from 'vitest';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { foldReportEvents } from './commands/fold-events.ts';
import type { ReportQuery } from './model.ts';
import { engagementReport, financialReport } from './reads.ts';
import { anyCounted } from './sums.ts';

const PRICE = 500_000_00;
const march: ReportQuery = { from: '2026-03-01', to: '2026-03-31', zone: 'UTC', grouping: 'monthly' };
const ofDay = (day: string): ReportQuery => ({ ...march, from: day, to: day });

await describeOnDatabase('the reports of a sale whose whole price went back', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  const clock = testClock('2026-03-06T20:00:00Z');
  const travelTo = (at: string) => clock.advance(Date.parse(at) - clock.now().getTime());
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db, { clock });
    const saleId = await scenario.createPaidSale(await scenario.createListing({ price_cents: PRICE }));
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    const admin = scenario.contextFor({ ...scenario.admin, provedAt: clock.now() });
    const ordered = await refundSale(admin, {
      saleId,
      baseCents: PRICE,
      feesCents: 0,
      reason: 'The roof',
      idempotencyKey: 'roof',
    });
    expect(ordered).toMatchObject({ ok: true });
    await scenario.settle();
    travelTo('2026-03-20T12:00:00Z');
    await scenario.settle();
  });
  afterAll(() => db.close());
  const admin = () => scenario.contextFor(scenario.admin);
  const salesStep = async (query: ReportQuery) =>
    (await engagementReport(admin(), query)).funnel.find(({ step }) => step === 'sales')?.count;

  it('have an average of what was paid, and none where nothing was', async () => {
    expect((await financialReport(admin(), march)).figures).toMatchObject({
      revenueCents: 0,
      sales: 0,
      averageCents: PRICE,
    });
    expect((await financialReport(admin(), ofDay('2026-03-20'))).figures).toMatchObject({
      revenueCents: -PRICE,
      sales: -1,
      averageCents: 0,
    });
  });

  it('have no step from view to sale below nothing', async () => {
    expect(await salesStep(march)).toBe(1);
    expect(await salesStep(ofDay('2026-03-20'))).toBe(0);
  });

  it.each([false, true])(
    'say that something was counted although it adds up to nothing (folded: %s)',
    async (fold) => {
      if (fold) await foldReportEvents(scenario.system);
      const counted = async (query: ReportQuery) => (await financialReport(admin(), query)).counted;
      expect(await counted(march)).toBe(true);
      expect(await counted(ofDay('2026-03-06'))).toBe(true);
      expect(await counted(ofDay('2026-03-20'))).toBe(true);
      expect(await counted(ofDay('2026-03-19'))).toBe(false);
      const april = await financialReport(admin(), { ...march, from: '2026-04-01', to: '2026-05-01' });
      expect(april).toMatchObject({ counted: false, countedBefore: true, before: { revenueCents: 0 } });
      expect((await financialReport(admin(), march)).countedBefore).toBe(false);
      const netOf = (from: string, to: string) =>
        anyCounted(admin(), { metrics: ['revenue'], between: [new Date(from), new Date(to)] });
      expect(await netOf('2026-03-06T20:00:00Z', '2026-03-20T12:15:00Z')).toBe(true);
      expect(await netOf('2026-03-06T00:00:00Z', '2026-03-06T20:00:00Z')).toBe(false);
      expect(await netOf('2026-03-06T20:15:00Z', '2026-03-20T11:45:00Z')).toBe(false);
    },
  );
});
