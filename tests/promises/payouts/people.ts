import { randomUUID } from 'node:crypto';
import { approvePayoutRun, declinePayoutRun } from '#features/payout-runs/commands/decide-payout-run.ts';
import { requestPayoutRun } from '#features/payout-runs/commands/request-payout-run.ts';
import { payoutPlan } from '#features/payout-runs/reads.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import type { CtxWith } from '#gateways/ports.ts';

// What an administrator does in a day. The context is theirs.

/** Selects a part of the pending payouts, and presses the button twice. */
export async function processSome(
  ctx: CtxWith<'payments' | 'payouts'>,
  { share, approverId, random }: { share: number; approverId: string; random: () => number },
): Promise<void> {
  const pending = await salesWith(ctx, 'pending');
  const saleIds = pending.filter(() => random() < share);
  const { totalCents } = await payoutPlan(ctx, { saleIds });
  const request = {
    saleIds,
    expectedTotalCents: totalCents,
    typedTotal: (totalCents / 100).toFixed(2),
    approverId,
    idempotencyKey: randomUUID(),
  };
  await Promise.all([requestPayoutRun(ctx, request), requestPayoutRun(ctx, request)]);
}

/** Approves the runs that wait, and declines a few. */
export async function decideRuns(
  ctx: CtxWith<'payments' | 'payouts'>,
  { declined, random }: { declined: number; random: () => number },
): Promise<void> {
  const waiting = await ctx.db
    .q()
    .selectFrom('payout_runs')
    .select('id')
    .where('status', '=', 'awaiting_approval')
    .orderBy('requested_at')
    .execute();
  for (const { id: runId } of waiting)
    await (random() < declined
      ? declinePayoutRun(ctx, { runId, reason: 'Not today.' })
      : approvePayoutRun(ctx, { runId }));
}

/** Makes the payouts that failed pending again. */
export async function retryFailed(ctx: CtxWith<'payments' | 'payouts'>): Promise<void> {
  for (const saleId of await salesWith(ctx, 'failed')) await retryPayout(ctx, { saleId });
}

async function salesWith(
  ctx: CtxWith<'payments' | 'payouts'>,
  status: 'pending' | 'failed',
): Promise<string[]> {
  const sales = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('payout_status', '=', status)
    .orderBy('id')
    .execute();
  return sales.map(({ id }) => id);
}
