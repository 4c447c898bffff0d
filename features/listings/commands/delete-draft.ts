import { isUuid } from '#features/accounts/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isBeingBought, ownListing } from '../form/listing.ts';
import { type DeedResult, mayDelete, mayList } from '../rules.ts';

/**
 * Discards a draft of the seller's own (that of a new listing, or what was changed in an edit and not yet saved), or
 * deletes a listing that was never on the market (B-110).
 * @throws Unauthenticated; Forbidden; NotFound for what is not the seller's
 */
export async function deleteDraft(
  ctx: Ctx,
  which: { draftId: string } | { propertyId: string },
): Promise<DeedResult> {
  const { agentId } = authorizedUser(ctx, mayList);
  return ctx.db.tx(() =>
    'draftId' in which ? discard(ctx, agentId, which.draftId) : remove(ctx, agentId, which.propertyId),
  );
}

async function discard(ctx: Ctx, agentId: string | null, draftId: string): Promise<DeedResult> {
  if (!agentId || !isUuid(draftId)) throw new NotFound();
  const gone = await ctx.db
    .q()
    .deleteFrom('property_drafts')
    .where('id', '=', draftId)
    .where('agent_id', '=', agentId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw new NotFound();
  return { ok: true };
}

async function remove(ctx: Ctx, agentId: string | null, propertyId: string): Promise<DeedResult> {
  const listing = await ownListing(ctx, { agentId, propertyId }, true);
  if (!mayDelete(listing)) return { ok: false, reason: 'status' };
  if (await isBeingBought(ctx, propertyId)) return { ok: false, reason: 'being_bought' };
  const q = ctx.db.q();
  await q.deleteFrom('property_drafts').where('property_id', '=', propertyId).execute();
  await q.updateTable('properties').set({ deleted_at: ctx.now() }).where('id', '=', propertyId).execute();
  await audit(ctx, {
    action: 'listing.delete',
    entity: 'property',
    entityId: propertyId,
    before: { status: listing.status },
  });
  return { ok: true };
}
