import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { isUuid } from '#platform/uuid.ts';
import { beginRun, lockRuns } from '../begin-run.ts';
import { loadPlan } from '../load-plan.ts';
import { MOST_PAYOUTS, mayScheduleRuns } from '../rules.ts';

/**
 * Makes the run of a period of the payout schedule, once, whoever asks and how often: the same period again is the same run.
 * Above the setting its total waits for an administrator, like any other. Takes the first thousand sales.
 * @param input `period` names the period for good, such as '2026-11-23 daily'
 * @returns null as `runId` when nothing of the sales can be paid: then there is no run, and the period can be tried again
 * @throws Unauthenticated, Forbidden for every user
 */
export async function createScheduledRun(
  ctx: CtxWith<'payouts'>,
  { period, saleIds }: { period: string; saleIds: readonly string[] },
): Promise<{ runId: string; created: boolean } | { runId: null; created: false }> {
  authorize(ctx, mayScheduleRuns);
  const key = `schedule:${period}`;
  return ctx.db.tx(async () => {
    await lockRuns(ctx);
    const earlier = await ctx.db
      .q()
      .selectFrom('payout_runs')
      .select('id')
      .where('idempotency_key', '=', key)
      .executeTakeFirst();
    if (earlier) return { runId: earlier.id, created: false };
    const plan = await loadPlan(ctx, [...new Set(saleIds)].filter(isUuid).slice(0, MOST_PAYOUTS));
    if (plan.payouts.length === 0) return { runId: null, created: false };
    const runId = await beginRun(ctx, { key, origin: 'schedule', requestedBy: null, plan, approverId: null });
    return { runId, created: true };
  });
}
