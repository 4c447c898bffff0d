import { authorize } from '#platform/access.ts';
import { type AuditAction, audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import type { Commission } from '../model.ts';
import {
  type CommissionErrors,
  commissionOn,
  commissionVersion,
  mayManageCommission,
  parseCommission,
  type TypedCommission,
  utcDay,
} from '../rules.ts';
import { storedCommission } from '../stored.ts';

type SetCommissionResult =
  | { ok: true; planned: boolean }
  | { ok: false; reason: 'invalid'; errors: CommissionErrors }
  /** another administrator has changed it meanwhile; nothing was changed */
  | { ok: false; reason: 'newer'; current: Commission };

/**
 * Sets the platform's share of purchases that begin from now on, or from 00:00 UTC of a later day, which replaces a change planned
 * before. Sales that have begun keep theirs, sellers with a rate of their own keep it.
 * @param input `seen` is `commissionVersion` of what the administrator saw
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function setCommission(
  ctx: Ctx,
  { seen, ...typed }: TypedCommission & { seen: string },
): Promise<SetCommissionResult> {
  authorize(ctx, mayManageCommission);
  requireFreshProof(ctx);
  const today = utcDay(ctx.now());
  const parsed = parseCommission(typed, today);
  if (!parsed.ok) return { ok: false, reason: 'invalid', errors: parsed.errors };
  const { percent, from } = parsed;
  return change(ctx, {
    action: from === null ? 'commission.change' : 'commission.plan',
    seen,
    today,
    wanted: (current) =>
      from === null
        ? { ...current, percent, effectiveFrom: percent === current.percent ? current.effectiveFrom : today }
        : { ...current, next: { percent, from } },
  });
}

/**
 * Drops the planned change; what holds now goes on.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function dropPlannedCommission(
  ctx: Ctx,
  { seen }: { seen: string },
): Promise<SetCommissionResult> {
  authorize(ctx, mayManageCommission);
  requireFreshProof(ctx);
  return change(ctx, {
    action: 'commission.drop_plan',
    seen,
    today: utcDay(ctx.now()),
    wanted: (current) => ({ ...current, next: null }),
  });
}

interface Change {
  action: AuditAction;
  seen: string;
  today: string;
  wanted: (current: Commission) => Commission;
}

const change = (ctx: Ctx, { action, seen, today, wanted }: Change): Promise<SetCommissionResult> =>
  ctx.db.tx(async (): Promise<SetCommissionResult> => {
    await takeLock(ctx, 'commission');
    const { isStored, ...stored } = await locked(ctx);
    const current = commissionOn(stored, today);
    const after = wanted(current);
    const done: SetCommissionResult = { ok: true, planned: after.next !== null };
    if (commissionVersion(after) === commissionVersion(current)) return done;
    if (commissionVersion(current) !== seen) return { ok: false, reason: 'newer', current };
    await write(ctx, after);
    await audit(ctx, {
      action,
      entity: 'commission_setting',
      entityId: '1',
      before: isStored ? audited(stored) : NOTHING,
      after: audited(after),
    });
    return done;
  });

/** The row, and whether there is one. */
async function locked(ctx: Ctx): Promise<Commission & { isStored: boolean }> {
  const row = await ctx.db.q().selectFrom('commission_settings').select('id').forUpdate().executeTakeFirst();
  return { ...(await storedCommission(ctx)), isStored: row !== undefined };
}

async function write(ctx: Ctx, { percent, effectiveFrom, next }: Commission): Promise<void> {
  const columns = {
    admin_percentage: percent,
    effective_from: effectiveFrom,
    next_percentage: next?.percent ?? null,
    next_from: next?.from ?? null,
    updated_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
    updated_at: ctx.now(),
  };
  await ctx.db
    .q()
    .insertInto('commission_settings')
    .values({ id: 1, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

const NOTHING = { adminPercentage: null, effectiveFrom: null, nextPercentage: null, nextFrom: null };

const audited = ({ percent, effectiveFrom, next }: Commission) => ({
  adminPercentage: percent,
  effectiveFrom,
  nextPercentage: next?.percent ?? null,
  nextFrom: next?.from ?? null,
});
