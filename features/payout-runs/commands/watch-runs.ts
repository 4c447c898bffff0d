import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { endRun } from '../end-run.ts';
import { enqueueRun } from '../queues.ts';
import { mayScheduleRuns } from '../rules.ts';

/**
 * Ends the runs that nobody has approved in time, and asks again for the work of those that are under way: their job may have been
 * lost.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function watchRuns(ctx: Ctx): Promise<void> {
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
