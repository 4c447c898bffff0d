import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { askPayouts } from '#features/payouts/commands/ask-payouts.ts';
import { confirmManualPayout, recordBankReference } from '#features/payouts/commands/manual-payouts.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { deleteSeller } from '#features/sellers/commands/delete-seller.ts';
import { settlePayout } from '#gateways/payouts/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { requestPayoutRun } from './commands/request-payout-run.ts';
import { loadScheduledPlan } from './load-plan.ts';
import { manualPayouts, payoutPlan, pendingPayouts } from './reads.ts';

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('a payout that comes back after its seller was archived', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  it('is made by hand, and confirmed by a second administrator', async () => {
    const { saleScenario } = scenario;
    const saleId = await scenario.releasedSale();
    const first = await scenario.pay(saleId);
    expect(
      await deleteSeller(scenario.admin(), { sellerId: saleScenario.seller.agentId ?? '', way: 'archive' }),
    ).toEqual({ ok: true, way: 'archive' });
    saleScenario.clock.advance(3 * DAY);
    const { idempotency_key: key } = await db
      .q()
      .selectFrom('payouts')
      .select('idempotency_key')
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    await settlePayout(db, key, 'return', saleScenario.clock.now());
    await askPayouts(saleScenario.system);
    expect((await saleScenario.sale(saleId)).payout_status).toBe('failed');
    expect(await retryPayout(scenario.admin(), { saleId })).toEqual({ ok: true });

    const pending = await pendingPayouts(scenario.admin());
    expect(pending.rows).toMatchObject([{ saleId, method: 'manual', obstacle: null, amountCents: SHARE }]);
    // The schedule leaves it to administrators.
    expect(await loadScheduledPlan(saleScenario.system, [saleId])).toMatchObject({
      plan: { payouts: [] },
      byHand: { count: 1, totalCents: SHARE },
    });
    expect(await payoutPlan(scenario.admin(), { saleIds: [saleId] })).toMatchObject({
      payouts: [{ saleId, method: 'manual', amountCents: SHARE }],
      refused: [],
    });
    expect(
      await requestPayoutRun(scenario.admin(), {
        saleIds: [saleId],
        expectedTotalCents: SHARE,
        typedTotal: '593,600.00',
        approverId: null,
        idempotencyKey: randomUUID(),
      }),
    ).toMatchObject({ ok: true, status: 'running' });
    await runPayoutJobs(saleScenario.system);
    const [byHand] = (await manualPayouts(scenario.admin())).rows;
    expect(byHand).toMatchObject({ saleId, amountCents: SHARE });

    const payoutId = byHand?.payoutId ?? '';
    const reference = 'WIRE-7';
    expect(await recordBankReference(scenario.admin(), { payoutId, reference })).toEqual({ ok: true });
    const colleague = await createUser(db, 'admin');
    const second = saleScenario.contextFor({ ...colleague, provedAt: saleScenario.clock.now() });
    expect(await confirmManualPayout(second, { payoutId, reference })).toEqual({ ok: true });
    // It may come back, so it stays listed for as long as banks return transfers.
    const listed = async () => (await manualPayouts(scenario.admin())).rows;
    expect(await listed()).toMatchObject([{ payoutId, confirmedAt: expect.any(String) }]);
    saleScenario.clock.advance(91 * DAY);
    expect(await listed()).toEqual([]);
    saleScenario.clock.advance(-91 * DAY);
    expect((await saleScenario.sale(saleId)).payout_status).toBe('completed');
    expect(await saleScenario.accountBalances(saleId)).toMatchObject({ bank: -SHARE });
    expect(await checkLedger(saleScenario.system)).toEqual([]);
  });
});
