import { isUuid } from '#features/accounts/rules.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { nameWriter } from '#platform/writer.ts';
import { recordHistory } from '../form/listing.ts';
import { type DeedResult, mayApprove } from '../rules.ts';

/**
 * Puts a listing that waits for approval on the market (S0 §4), or confirms what was changed in an Active one since
 * (B-106). Its days on the market begin with the first approval (B-046).
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function approveListing(ctx: Ctx, { propertyId }: { propertyId: string }): Promise<DeedResult> {
  authorize(ctx, mayApprove);
  if (!isUuid(propertyId)) throw new NotFound('Property not found');
  return ctx.db.tx(async (q) => {
    const listing = await q
      .selectFrom('properties')
      .select(['id', 'status', 'listed_at', 'changed_since_approval_at'])
      .where('id', '=', propertyId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!listing) throw new NotFound('Property not found');
    const waits = listing.status === 'pending' || listing.status === 'changes_requested';
    const changed = listing.status === 'Active' && listing.changed_since_approval_at !== null;
    if (!waits && !changed) return { ok: false, reason: 'status' };
    await nameWriter(ctx);
    await q
      .updateTable('properties')
      .set({
        status: 'Active',
        listed_at: listing.listed_at ?? ctx.now(),
        review_note: null,
        changed_since_approval_at: null,
      })
      .where('id', '=', propertyId)
      .execute();
    if (waits)
      await recordHistory(ctx, propertyId, [
        { field: 'status', from: listing.status, to: 'Active', reason: 'approved' },
      ]);
    await audit(ctx, {
      action: 'listing.approve',
      entity: 'property',
      entityId: propertyId,
      before: { status: listing.status },
      after: { status: 'Active' },
    });
    return { ok: true };
  });
}
