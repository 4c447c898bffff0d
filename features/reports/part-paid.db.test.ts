import { afterAll, beforeAll, expect, it } from 'vitest';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { sellerTotals } from '#features/sales/reads.ts';
import { settlePayout, settlePayoutItem } from '#gateways/payouts/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import type { ReportQuery } from './model.ts';
import { financialReport } from './reads.ts';

const march: ReportQuery = { from: '2026-03-01', to: '2026-03-31', zone: 'UTC', grouping: 'monthly' };
const daysAfter: ReportQuery = { ...march, from: '2026-04-01', to: '2026-05-01' };
/** 80 % of $742,000.00, and what one of the parts does not carry of it */
const [SHARE, MISSING] = [593_600_00, 20_000_00];

await describeOnDatabase('a payout of which a part has arrived', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let saleId: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db, { clock: testClock('2026-03-03T10:00:00Z') });
    await scenario.setUpPaypal();
    await scenario.fund('paypal', 2_000_000_00);
    saleId = await scenario.releasedSale();
  });
  afterAll(() => db.close());

  const now = () => scenario.saleScenario.clock.now();
  const partsOf = (payoutId: string) =>
    db
      .q()
      .selectFrom('payouts as o')
      .innerJoin('sandbox_payouts as p', 'p.key', 'o.idempotency_key')
      .innerJoin('sandbox_payout_items as i', 'i.payout_id', 'p.id')
      .select(['i.ref', 'p.key'])
      .where('o.id', '=', payoutId)
      .orderBy('i.id')
      .execute();

  /** What is pending and processing in the report, then what is pending, processing, failed and completed for the seller. */
  async function expectOwed(report: [number, number], seller: [number, number, number, number]) {
    const { pendingPayoutsCents, processingPayoutsCents } = await financialReport(scenario.admin(), march);
    expect([pendingPayoutsCents, processingPayoutsCents]).toEqual(report);
    const after = await financialReport(scenario.admin(), daysAfter);
    expect(after).toMatchObject({ pendingPayoutsCents: 0, pendingBeforeCents: report[0] });
    const { saleScenario } = scenario;
    const { pending, processing, failed, completed, total } = await sellerTotals(
      saleScenario.contextFor(saleScenario.seller),
    );
    expect([pending, processing, failed, completed].map(({ cents }) => cents)).toEqual(seller);
    expect(total).toEqual({ cents: SHARE, count: 1 });
  }

  it('leaves only the rest owed, whether that failed, waits, or is on its way', async () => {
    await expectOwed([SHARE, 0], [SHARE, 0, 0, 0]);
    const first = await scenario.pay(saleId);
    await expectOwed([0, SHARE], [0, SHARE, 0, 0]);
    const [failing, ...arriving] = await partsOf(first);
    await settlePayoutItem(db, failing?.ref ?? '', 'fail', now());
    for (const { ref } of arriving) await settlePayoutItem(db, ref, 'arrive', now());
    await scenario.sync(first);
    await expectOwed([MISSING, 0], [0, 0, MISSING, SHARE - MISSING]);
    await retryPayout(scenario.admin(), { saleId });
    await expectOwed([MISSING, 0], [MISSING, 0, 0, SHARE - MISSING]);
    const second = await scenario.pay(saleId);
    await expectOwed([0, MISSING], [0, MISSING, 0, SHARE - MISSING]);
    const [{ key = '' } = {}] = await partsOf(second);
    await settlePayout(db, key, 'arrive', now());
    await scenario.sync(second);
    await expectOwed([0, 0], [0, 0, 0, SHARE]);
  });
});
