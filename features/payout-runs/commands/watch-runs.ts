import { payoutSchedule } from '#features/settings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { byHandTask, notifyByHand } from '../by-hand.ts';
import { dueSales } from '../due-sales.ts';
import { endRun } from '../end-run.ts';
import { loadScheduledPlan } from '../load-plan.ts';
import { enqueueRun } from '../queues.ts';
import { mayScheduleRuns } from '../rules.ts';

/**
 * Ends the runs that nobody has approved in time, and asks again for the work of those that are under way: their job may have been
 * lost. Closes the task about payouts by hand when none is left.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function watchRuns(ctx: CtxWith<'payouts'>): Promise<void> {
  authorize(ctx, mayScheduleRuns);
  const live = await ctx.db
    .q()
    .selectFrom('payout_runs')
    .select(['id', 'status', 'expires_at'])
    .where('status', 'in', ['awaiting_approval', 'running'])
    .orderBy('requested_at')
    .execute();
  for (const { id, status, expires_at } of live) {
    if (status === 'running') await enqueueRun(ctx, id);
    else if (expires_at && expires_at <= ctx.now()) await expireRun(ctx, id);
  }
  if ((await byHandTask(ctx)) !== null) await followByHand(ctx);
}

/** While the task is open: whether something is still left to be made by hand, and what. */
async function followByHand(ctx: CtxWith<'payouts'>): Promise<void> {
  const { frequency, minimumCents } = await payoutSchedule(ctx);
  const { saleIds } =
    frequency === 'manual' ? { saleIds: [] } : await dueSales(ctx, { minimumCents, leftSince: null });
  const { byHand } = await loadScheduledPlan(ctx, saleIds);
  await notifyByHand(ctx, byHand);
}

/** Unless somebody has decided meanwhile. */
async function expireRun(ctx: Ctx, runId: string): Promise<void> {
  await ctx.db.tx(async () => {
    const run = await ctx.db
      .q()
      .selectFrom('payout_runs')
      .select('id')
      .where('id', '=', runId)
      .where('status', '=', 'awaiting_approval')
      .forUpdate()
      .executeTakeFirst();
    if (!run) return;
    await endRun(ctx, { runId, status: 'expired', decidedBy: null, reason: null });
    await audit(ctx, { action: 'payout_run.expire', entity: 'payout_run', entityId: runId });
  });
}
