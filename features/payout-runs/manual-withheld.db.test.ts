import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { reactivateSeller, suspendSeller } from '#features/sellers/commands/set-suspension.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { manualPayouts } from './reads.ts';

await describeOnDatabase('a payout by hand', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  it('says why it should not be made, when that came up after it was started', async () => {
    const { saleScenario } = scenario;
    const saleId = await scenario.releasedSale();
    const byHand = { ...scenario.admin(), payouts: payoutsOf([]) };
    expect(await startPayout(byHand, { saleId, runId: null, expectedCents: null })).toMatchObject({
      ok: true,
    });
    const withheld = async () => (await manualPayouts(scenario.admin())).rows.map((row) => row.withheld);
    const freeze = (at: Date | null) =>
      db.q().updateTable('property_sales').set({ frozen_at: at }).where('id', '=', saleId).execute();
    expect(await withheld()).toEqual([null]);
    await freeze(saleScenario.clock.now());
    expect(await withheld()).toEqual(['frozen']);
    await freeze(null);
    const sellerId = saleScenario.seller.agentId ?? '';
    await suspendSeller(scenario.admin(), { sellerId, reason: 'Their papers are being checked.' });
    expect(await withheld()).toEqual(['suspended']);
    const archive = (at: Date | null) =>
      db.q().updateTable('agents').set({ archived_at: at }).where('id', '=', sellerId).execute();
    await archive(saleScenario.clock.now());
    expect(await withheld()).toEqual([null]);
    await archive(null);
    await reactivateSeller(scenario.admin(), { sellerId, reason: 'They are fine.' });
    expect(await withheld()).toEqual([null]);
    const refund = { saleId, baseCents: 100_000_00, feesCents: 0, reason: 'The roof leaks.' };
    await refundSale(scenario.admin(), { ...refund, idempotencyKey: randomUUID() });
    expect(await withheld()).toEqual(['refund_running']);
    await saleScenario.settle();
    saleScenario.clock.advance(HOUR);
    await saleScenario.settle();
    await saleScenario.sync(saleId);
    expect(await withheld()).toEqual(['owes']);
    await db
      .q()
      .updateTable('payouts')
      .set({ bank_reference: 'MT103-1' })
      .where('sale_id', '=', saleId)
      .execute();
    expect(await withheld()).toEqual([null]);
  });
});
