import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { DAY } from '#platform/durations.ts';
import { beginRun, lockRuns } from '../begin-run.ts';
import { notifyByHand } from '../by-hand.ts';
import { dueSales } from '../due-sales.ts';
import { loadScheduledPlan } from '../load-plan.ts';
import { closeNotApproved } from '../not-approved.ts';
import { mayScheduleRuns } from '../rules.ts';

export interface ScheduledPeriod {
  /** names the period for good, such as 'daily 2026-11-23' */
  period: string;
  dueAt: Date;
  /** cents that a seller has to be owed in total */
  minimumCents: number;
  /** the schedule runs all the time: what a run has left out waits for a day, and a period that pays nobody is none */
  isInstant: boolean;
  /** the administrator who has set how often the schedule pays, and so may not approve what it asks for */
  setBy: string | null;
}

type ScheduledRun =
  | { isNew: true; runId: string | null }
  /** the period has had its run */
  | { isNew: false };

/**
 * Makes the run of a period of the payout schedule, once, whoever asks and how often: everything that is payable then, of sellers
 * who are owed the minimum. Above the setting its total waits for an administrator, never the one who set the schedule. What has to be paid by hand is
 * left to administrators, with a task.
 * @returns null as `runId` when there is nothing to pay
 * @throws Unauthenticated, Forbidden for every user
 */
export async function createScheduledRun(
  ctx: CtxWith<'payouts'>,
  { period, dueAt, minimumCents, isInstant, setBy }: ScheduledPeriod,
): Promise<ScheduledRun> {
  authorize(ctx, mayScheduleRuns);
  return ctx.db.tx(async (): Promise<ScheduledRun> => {
    await lockRuns(ctx);
    const earlier = await ctx.db
      .q()
      .selectFrom('scheduled_payouts')
      .select('period')
      .where('period', '=', period)
      .executeTakeFirst();
    if (earlier) return { isNew: false };
    const now = ctx.now();
    const leftSince = isInstant ? new Date(now.getTime() - DAY) : null;
    const { saleIds, sellersBelowMinimum } = await dueSales(ctx, { minimumCents, leftSince });
    const { plan, byHand } = await loadScheduledPlan(ctx, saleIds, setBy);
    await notifyByHand(ctx, byHand);
    const key = `schedule:${period}`;
    const runId =
      plan.payouts.length === 0
        ? null
        : await beginRun(ctx, { key, origin: 'schedule', requestedBy: null, setBy, plan, approverId: null });
    if (runId !== null || !isInstant) {
      // A schedule that runs all the time asks a day later for what was not approved, and for other payouts meanwhile.
      await closeNotApproved(ctx, isInstant ? runId : null);
      await ctx.db
        .q()
        .insertInto('scheduled_payouts')
        .values({
          period,
          due_at: dueAt,
          ran_at: now,
          run_id: runId,
          sellers_below_minimum: sellersBelowMinimum,
        })
        .execute();
    }
    return { isNew: true, runId };
  });
}
