import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { publishRun } from './begin-run.ts';
import { mailRunEnded } from './mails.ts';
import { notifyNotApproved } from './not-approved.ts';

interface Ending {
  runId: string;
  status: 'declined' | 'expired';
  decidedBy: { id: string; name: string } | null;
  reason: string | null;
}

/**
 * Ends a locked run without paying anything of it, and mails whoever asked for it, or opens a task where that was the schedule. In the
 * current transaction.
 */
export async function endRun(ctx: Ctx, { runId, status, decidedBy, reason }: Ending): Promise<void> {
  const now = ctx.now();
  const run = await ctx.db
    .q()
    .updateTable('payout_runs')
    .set({
      status,
      finished_at: now,
      decline_reason: reason,
      ...(decidedBy && { decided_by: decidedBy.id, decided_at: now }),
    })
    .where('id', '=', runId)
    .returning(['origin', 'requested_by', 'payout_count', 'total_cents'])
    .executeTakeFirstOrThrow();
  await ctx.db
    .q()
    .updateTable('payout_run_items')
    .set({ status: 'dropped', ended_at: now })
    .where('run_id', '=', runId)
    .where('status', '=', 'waiting')
    .execute();
  await closeTasks(asSystem(ctx, 'payouts'), {
    kinds: ['payout_run_waiting'],
    subjectId: runId,
    resolution: decidedBy ? `${decidedBy.name} declined the payouts` : 'No one decided in time',
  });
  if (run.requested_by !== null)
    await mailRunEnded(ctx, {
      runId,
      to: run.requested_by,
      count: run.payout_count,
      totalCents: run.total_cents,
      reason,
    });
  if (run.origin === 'schedule')
    await notifyNotApproved(ctx, {
      runId,
      count: run.payout_count,
      totalCents: run.total_cents,
      declined: decidedBy && { by: decidedBy.name, reason: reason ?? '' },
    });
  await publishRun(ctx, runId);
}
