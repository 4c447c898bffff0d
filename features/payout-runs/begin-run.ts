import { openTask } from '#features/tasks/commands/open-task.ts';
import { audit } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { publish } from '#platform/events/events.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { mailApprovalAsked } from './mails.ts';
import type { PayoutRun, RunPlan } from './model.ts';
import { enqueueRun } from './queues.ts';
import { APPROVAL_LASTS_MS } from './rules.ts';

/** Runs are begun one after the other, so that no sale waits in two of them. In the current transaction. */
export async function lockRuns(ctx: Ctx): Promise<void> {
  await takeLock(ctx, 'payout runs');
}

interface NewRun {
  key: string;
  origin: PayoutRun['origin'];
  requestedBy: string | null;
  /** who has set the schedule that asks for it */
  setBy: string | null;
  plan: RunPlan;
  /** who is asked to approve it, where that is needed; null: all administrators */
  approverId: string | null;
}

/**
 * Writes a run with a line for each payout and each sale that is left out, and asks for its work, or for its approval. In the
 * current transaction, after `lockRuns`.
 */
export async function beginRun(
  ctx: Ctx,
  { key, origin, requestedBy, setBy, plan, approverId }: NewRun,
): Promise<string> {
  const now = ctx.now();
  const waits = plan.approvalLimitCents !== null;
  const { id } = await ctx.db
    .q()
    .insertInto('payout_runs')
    .values({
      idempotency_key: key,
      origin,
      status: waits ? 'awaiting_approval' : 'running',
      payout_count: plan.payouts.length,
      total_cents: plan.totalCents,
      requested_by: requestedBy,
      schedule_set_by: setBy,
      requested_at: now,
      approval_limit_cents: plan.approvalLimitCents,
      approver_id: approverId,
      expires_at: waits ? new Date(now.getTime() + APPROVAL_LASTS_MS) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeItems(ctx, id, plan);
  await audit(ctx, {
    action: 'payout_run.request',
    entity: 'payout_run',
    entityId: id,
    after: { payouts: plan.payouts.length, totalCents: plan.totalCents, needsApproval: waits || null },
  });
  if (waits) await askForApproval(ctx, { id, requestedBy, plan, approverId });
  else await enqueueRun(ctx, id);
  await publishRun(ctx, id);
  return id;
}

/** Lines of one statement, whose parameters are limited. */
const ITEMS_AT_ONCE = 1_000;

async function writeItems(ctx: Ctx, runId: string, { payouts, refused }: RunPlan): Promise<void> {
  const now = ctx.now();
  const waiting = payouts.map(({ saleId, seller, method, amountCents, withheldCents }) => ({
    sale_id: saleId,
    agent_id: seller.id,
    method,
    amount_cents: amountCents,
    withheld_cents: withheldCents,
    status: 'waiting' as const,
    refusal: null,
    refused_until: null,
    ended_at: null,
  }));
  const left = refused.map(({ saleId, seller, amountCents, reason, until }) => ({
    sale_id: saleId,
    agent_id: seller.id,
    method: null,
    amount_cents: Math.max(0, amountCents),
    withheld_cents: 0,
    status: 'refused' as const,
    refusal: reason,
    refused_until: until,
    ended_at: now,
  }));
  const items = [...waiting, ...left].map((item, at) => ({ ...item, run_id: runId, position: at + 1 }));
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE)
    await ctx.db
      .q()
      .insertInto('payout_run_items')
      .values(items.slice(from, from + ITEMS_AT_ONCE))
      .execute();
}

async function askForApproval(
  ctx: Ctx,
  { id, requestedBy, plan, approverId }: Omit<NewRun, 'key' | 'origin' | 'setBy'> & { id: string },
): Promise<void> {
  const asked = plan.approvers.filter((one) => approverId === null || one.id === approverId);
  await openTask(asSystem(ctx, 'payouts'), {
    kind: 'payout_run_waiting',
    subjectId: id,
    detail: `${plan.payouts.length} payouts, ${dollarsAndCents(plan.totalCents)} in total.`,
    assigneeId: approverId,
    mailed: true,
  });
  for (const { id: to } of asked)
    await mailApprovalAsked(ctx, {
      runId: id,
      to,
      requestedBy,
      count: plan.payouts.length,
      totalCents: plan.totalCents,
    });
}

/** Tells the pages of administrators that a run has changed. */
export const publishRun = (ctx: Ctx, runId: string): Promise<void> =>
  publish(ctx, { audience: 'role:admin', type: 'payouts.changed', payload: { run: runId } });
