import { askPayouts, completeEmptyPayouts } from '#features/payouts/commands/ask-payouts.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { sendPayout } from '#features/payouts/commands/send-payout.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { takeBackPayout } from '#features/payouts/commands/take-back-payout.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import { processDuePayouts } from '#gateways/payouts/sandbox/settlement.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

/**
 * Lets the providers carry out what is due, then runs the background jobs of payouts: sends, asks, takes back. `db` is that of the
 * providers.
 */
export async function runPayoutJobs(ctx: CtxWith<'payments' | 'payouts'>, db: Database): Promise<void> {
  await sendStarted(ctx);
  await processDuePayouts(db, ctx.now());
  while (await askPayouts(ctx));
  await sendStarted(ctx);
  const paid = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('sale_id')
    .distinct()
    .where('paid_cents', '>', 0)
    .orderBy('sale_id')
    .execute();
  for (const { sale_id: saleId } of paid) await takeBackPayout(ctx, { saleId });
  await completeEmptyPayouts(ctx);
}

async function sendStarted(ctx: CtxWith<'payments' | 'payouts'>): Promise<void> {
  const started = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('status', '=', 'processing')
    .where('provider', 'is not', null)
    .orderBy('created_at')
    .orderBy('idempotency_key')
    .execute();
  for (const { id } of started) await sendPayout(ctx, { payoutId: id });
}

/** Lets every payout come to an end at the providers and here, and pays sellers what they are owed then, as far as that can be. */
export async function settlePayouts(scenario: SaleScenario, payouts: Payouts): Promise<void> {
  await scenario.db
    .q()
    .updateTable('agents')
    .set({ status: 'active' })
    .where('id', '=', scenario.seller.agentId)
    .execute();
  for (let round = 0; round < 3; round += 1) {
    if (round > 0) await payWhatIsOwed(scenario, payouts);
    // The longest wait is that for someone to claim it.
    scenario.clock.advance(31 * DAY);
    await runPayoutJobs({ ...scenario.system, payouts }, scenario.db);
  }
}

async function payWhatIsOwed(scenario: SaleScenario, payouts: Payouts): Promise<void> {
  const open = await scenario.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'payout_status'])
    .where('payout_status', 'in', ['pending', 'failed'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const { id: saleId, payout_status } of open) {
    const admin = { ...scenario.contextFor({ ...scenario.admin, provedAt: scenario.clock.now() }), payouts };
    if (payout_status === 'failed') await retryPayout(admin, { saleId });
    await startPayout(admin, { saleId, runId: null, expectedCents: null });
  }
}
