import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { mayManageFees } from '../managed.ts';
import { isUsed, toManaged } from '../managed-reads.ts';
import { audited, auditFee, lockedFee, lockFees, NO_FEE } from '../write-fee.ts';

type RemoveFeeResult = { ok: true; way: 'deleted' | 'archived' } | { ok: false; reason: 'gone' };

/**
 * Removes a fee from purchases that begin from now on: deletes it, or archives it when a sale has ever been charged it.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function removeFee(ctx: Ctx, { id }: { id: string }): Promise<RemoveFeeResult> {
  authorize(ctx, mayManageFees);
  requireFreshProof(ctx);
  const result = await ctx.db.tx(async (): Promise<RemoveFeeResult> => {
    await lockFees(ctx);
    const row = await lockedFee(ctx, id, 'remove');
    if (!row) return { ok: false, reason: 'gone' };
    const fee = toManaged(row);
    const before = audited(fee, row);
    const q = ctx.db.q();
    if (await isUsed(q, id)) {
      await q
        .updateTable('service_fees')
        .set({ archived_at: ctx.now(), is_active: false })
        .where('id', '=', id)
        .execute();
      const after = audited({ ...fee, active: false }, { position: row.position, archived: true });
      await auditFee(ctx, { action: 'service_fee.archive', id, before, after });
      return { ok: true, way: 'archived' };
    }
    await q.deleteFrom('service_fees').where('id', '=', id).execute();
    await auditFee(ctx, { action: 'service_fee.delete', id, before, after: NO_FEE });
    return { ok: true, way: 'deleted' };
  });
  if (result.ok) invalidate(ctx.db, 'service_fees');
  return result;
}
