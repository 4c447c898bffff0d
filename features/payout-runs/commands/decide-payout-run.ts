import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { visibleText } from '#platform/typed-text.ts';
import { isUuid } from '#platform/uuid.ts';
import { publishRun } from '../begin-run.ts';
import { endRun } from '../end-run.ts';
import type { DecideRunResult } from '../model.ts';
import { enqueueRun } from '../queues.ts';
import { mayRunPayouts } from '../rules.ts';

/**
 * Approves a run that waits: its payouts are made in the background. Never by whoever asked for it, nor, for a run of the schedule,
 * by whoever had set how often it pays: otherwise one administrator could pay anything by having the schedule ask.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound
 */
export async function approvePayoutRun(ctx: Ctx, { runId }: { runId: string }): Promise<DecideRunResult> {
  const user = authorizedUser(ctx, mayRunPayouts);
  requireFreshProof(ctx);
  return ctx.db.tx(async (): Promise<DecideRunResult> => {
    const waiting = await lockWaiting(ctx, runId, user.id);
    if (!waiting.ok) return waiting;
    if (waiting.scheduleSetBy === user.id) return { ok: false, reason: 'own_run' };
    await ctx.db
      .q()
      .updateTable('payout_runs')
      .set({ status: 'running', decided_by: user.id, decided_at: ctx.now() })
      .where('id', '=', runId)
      .execute();
    await audit(ctx, { action: 'payout_run.approve', entity: 'payout_run', entityId: runId });
    await closeTasks(asSystem(ctx, 'payouts'), {
      kinds: ['payout_run_waiting'],
      subjectId: runId,
      resolution: `${user.name} approved the payouts`,
    });
    await enqueueRun(ctx, runId);
    await publishRun(ctx, runId);
    return { ok: true };
  });
}

/**
 * Declines a run that waits, with a reason, which whoever asked for it is mailed: nothing of it is paid. Never by that one.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function declinePayoutRun(
  ctx: Ctx,
  { runId, reason: typed }: { runId: string; reason: string },
): Promise<DecideRunResult> {
  const user = authorizedUser(ctx, mayRunPayouts);
  const reason = cutText(visibleText(typed).trim(), REASON_MAX_LENGTH);
  if (reason === '') return { ok: false, reason: 'no_reason' };
  return ctx.db.tx(async (): Promise<DecideRunResult> => {
    const waiting = await lockWaiting(ctx, runId, user.id);
    if (!waiting.ok) return waiting;
    await endRun(ctx, { runId, status: 'declined', decidedBy: user, reason });
    await audit(ctx, {
      action: 'payout_run.decline',
      entity: 'payout_run',
      entityId: runId,
      after: { reason },
    });
    return { ok: true };
  });
}

/** Locks a run that the user may decide about now; else why not. */
async function lockWaiting(
  ctx: Ctx,
  runId: string,
  userId: string,
): Promise<{ ok: true; scheduleSetBy: string | null } | Exclude<DecideRunResult, { ok: true }>> {
  const run = isUuid(runId)
    ? await ctx.db
        .q()
        .selectFrom('payout_runs')
        .select(['status', 'requested_by', 'schedule_set_by', 'expires_at'])
        .where('id', '=', runId)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!run) throw new NotFound();
  const expired = run.expires_at !== null && run.expires_at <= ctx.now();
  if (run.status !== 'awaiting_approval' || expired) return { ok: false, reason: 'not_waiting' };
  if (run.requested_by === userId) return { ok: false, reason: 'own_run' };
  return { ok: true, scheduleSetBy: run.schedule_set_by };
}
