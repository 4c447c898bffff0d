import { isAdministrator } from '#features/tasks/administrators.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { BadRequest } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { administrators } from '../administrators.ts';
import { beginRun, lockRuns } from '../begin-run.ts';
import { loadPlan } from '../load-plan.ts';
import type { RequestRunResult, RunPlan, RunRefusal } from '../model.ts';
import { MOST_PAYOUTS, mayRunPayouts, typedCents } from '../rules.ts';

export interface RunRequest {
  saleIds: readonly string[];
  /** the total that was shown, in cents */
  expectedTotalCents: number;
  /** the total as typed; asked for above $100,000 */
  typedTotal: string;
  /** who is asked to approve it, where a second administrator is needed */
  approverId: string | null;
  /** of the dialog: the same again is the same run */
  idempotencyKey: string;
}

/**
 * Asks for the payouts of the selected sales in one run: it is worked in the background, or waits for the approval of another
 * administrator when its total is above the setting. Selected sales that cannot be paid are on record in it, with the reason.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; BadRequest for a malformed key
 */
export async function requestPayoutRun(
  ctx: CtxWith<'payouts'>,
  { saleIds, expectedTotalCents, typedTotal, approverId, idempotencyKey }: RunRequest,
): Promise<RequestRunResult> {
  const user = authorizedUser(ctx, mayRunPayouts);
  requireFreshProof(ctx);
  if (!isUuid(idempotencyKey)) throw new BadRequest();
  const ids = [...new Set(saleIds)].filter(isUuid);
  if (ids.length > MOST_PAYOUTS) return { ok: false, reason: 'too_many' };
  const key = `administrator:${user.id}:${idempotencyKey}`;
  return ctx.db.tx(async (): Promise<RequestRunResult> => {
    await lockRuns(ctx);
    const earlier = await runWithKey(ctx, user, key);
    if (earlier) return earlier;
    // Before the plan names who can approve it: whoever is being removed at this moment would be left with the task.
    const approver = approverId !== null && (await isAdministrator(ctx, approverId)) ? approverId : null;
    const plan = await loadPlan(ctx, ids);
    const refusal = await refusalOf(ctx, plan, { expectedTotalCents, typedTotal, approverId: approver });
    if (refusal) return refusal;
    const waits = plan.approvalLimitCents !== null;
    const runId = await beginRun(ctx, {
      key,
      origin: 'administrator',
      requestedBy: user.id,
      setBy: null,
      plan,
      approverId: waits ? approver : null,
    });
    const begun = { ok: true, runId, created: true, count: plan.payouts.length } as const;
    return waits
      ? { ...begun, status: 'awaiting_approval', approvers: plan.approvers.map(({ name }) => name) }
      : { ...begun, status: 'running' };
  });
}

async function refusalOf(
  ctx: Ctx,
  plan: RunPlan,
  { expectedTotalCents, typedTotal, approverId }: Omit<RunRequest, 'saleIds' | 'idempotencyKey'>,
): Promise<RunRefusal | null> {
  const working = await ctx.db
    .q()
    .selectFrom('payout_runs')
    .select('id')
    .where('status', '=', 'running')
    .limit(1)
    .executeTakeFirst();
  if (working) return { ok: false, reason: 'in_progress' };
  if (plan.payouts.length === 0) return { ok: false, reason: 'nothing_payable', refused: plan.refused };
  if (plan.totalCents !== expectedTotalCents) return { ok: false, reason: 'changed', plan };
  if (plan.typed && typedCents(typedTotal) !== plan.totalCents)
    return { ok: false, reason: 'typed_total', plan };
  if (plan.approvalLimitCents !== null && !plan.approvers.some(({ id }) => id === approverId))
    return { ok: false, reason: 'approver', plan };
  return null;
}

/** What the same request of the same administrator, whom the key names, has begun before. */
async function runWithKey(ctx: Ctx, user: UserActor, key: string): Promise<RequestRunResult | null> {
  const run = await ctx.db
    .q()
    .selectFrom('payout_runs')
    .select(['id', 'status', 'payout_count'])
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  if (!run) return null;
  const begun = { ok: true, runId: run.id, created: false, count: run.payout_count } as const;
  if (run.status !== 'awaiting_approval') return { ...begun, status: 'running' };
  const approvers = await administrators(ctx, { except: user.id });
  return { ...begun, status: 'awaiting_approval', approvers: approvers.map(({ name }) => name) };
}
