import { deleteListing } from '#features/listings/commands/delete-listing.ts';
import { type ListingActionResult, mayList } from '#features/listings/rules.ts';
import { authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';

/**
 * Discards one of the seller's own drafts (of a new listing, or unsaved edits of an existing one), or deletes a
 * listing that was never on the market with the draft of its edit.
 * @throws Unauthenticated; Forbidden; NotFound for what belongs to somebody else
 */
export async function deleteDraft(
  ctx: Ctx,
  target: { draftId: string } | { propertyId: string },
): Promise<ListingActionResult> {
  const { agentId } = authorizedSeller(ctx, mayList);
  if (!('draftId' in target)) return deleteWithDraft(ctx, target.propertyId);
  if (!isUuid(target.draftId)) throw new NotFound();
  const deleted = await ctx.db
    .q()
    .deleteFrom('property_drafts')
    .where('id', '=', target.draftId)
    .where('agent_id', '=', agentId)
    .returning('id')
    .executeTakeFirst();
  if (!deleted) throw new NotFound();
  return { ok: true };
}

const deleteWithDraft = (ctx: Ctx, propertyId: string): Promise<ListingActionResult> =>
  ctx.db.tx(async () => {
    const result = await deleteListing(ctx, { propertyId });
    if (result.ok)
      await ctx.db.q().deleteFrom('property_drafts').where('property_id', '=', propertyId).execute();
    return result;
  });
