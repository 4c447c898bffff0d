import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { mayManageFees } from '../managed.ts';
import { toManaged } from '../managed-reads.ts';
import { audited, auditFee, lockedFee, lockFees } from '../write-fee.ts';

type SetFeeActiveResult =
  | { ok: true }
  /** another administrator has done the same, or deleted the fee, meanwhile */
  | { ok: false; reason: 'already' | 'gone' };

/**
 * Switches a fee on or off for purchases that begin from now on.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function setFeeActive(
  ctx: Ctx,
  { id, active }: { id: string; active: boolean },
): Promise<SetFeeActiveResult> {
  authorize(ctx, mayManageFees);
  requireFreshProof(ctx);
  const result = await ctx.db.tx(async (): Promise<SetFeeActiveResult> => {
    await lockFees(ctx);
    const row = await lockedFee(ctx, id);
    if (!row) return { ok: false, reason: 'gone' };
    if (row.is_active === active) return { ok: false, reason: 'already' };
    await ctx.db.q().updateTable('service_fees').set({ is_active: active }).where('id', '=', id).execute();
    const fee = toManaged(row);
    await auditFee(ctx, {
      action: active ? 'service_fee.activate' : 'service_fee.deactivate',
      id,
      before: audited(fee, row),
      after: audited({ ...fee, active }, row),
    });
    return { ok: true };
  });
  if (result.ok) invalidate(ctx.db, 'service_fees');
  return result;
}
