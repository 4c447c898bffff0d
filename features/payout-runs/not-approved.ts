import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { payoutsText } from './rules.ts';

interface EndedRun {
  runId: string;
  count: number;
  totalCents: number;
  /** null when nobody decided in time */
  declined: { by: string; reason: string } | null;
}

/** Tells all administrators of a run of the schedule that nobody approved: nobody asked for it who could be told. */
export async function notifyNotApproved(
  ctx: Ctx,
  { runId, count, totalCents, declined }: EndedRun,
): Promise<void> {
  const why = declined
    ? `${declined.by} declined them, for this reason: ${declined.reason}`
    : 'No one approved them within three days.';
  await openTask(asSystem(ctx, 'payouts'), {
    kind: 'scheduled_run_ended',
    subjectId: runId,
    detail: `${payoutsText(count)}, ${dollarsAndCents(totalCents)} in total. Nothing was sent. The schedule asks for them again in its next run; until then they can be processed in Payout Management. ${why}`,
  });
}

/**
 * Closes these tasks once the schedule has run again. In the current transaction.
 * @param runId its run, for which only tasks about payouts of it are closed; null for all tasks
 */
export async function closeNotApproved(ctx: Ctx, runId: string | null): Promise<void> {
  const open = await ctx.db
    .q()
    .selectFrom('admin_tasks as t')
    .select('t.subject_id')
    .where('t.kind', '=', 'scheduled_run_ended')
    .where('t.closed_at', 'is', null)
    .$if(runId !== null, (tasks) =>
      tasks.where(({ exists, selectFrom, cast, ref }) =>
        exists(
          selectFrom('payout_run_items as again')
            .innerJoin('payout_run_items as dropped', 'dropped.sale_id', 'again.sale_id')
            .select('again.sale_id')
            .where('again.run_id', '=', runId)
            .where('again.status', '=', 'waiting')
            .where('dropped.status', '=', 'dropped')
            .where('dropped.run_id', '=', cast<string>(ref('t.subject_id'), 'uuid')),
        ),
      ),
    )
    .execute();
  for (const { subject_id: subjectId } of open)
    await closeTasks(asSystem(ctx, 'payouts'), {
      kinds: ['scheduled_run_ended'],
      subjectId,
      resolution: 'The schedule has run again',
    });
}
