import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { findPhotoOwner, lockPhotoOwner } from '../photo-owner.ts';
import { mayChangePhotos } from '../rules.ts';

/**
 * Moves the photographs of a draft to the listing created from it. Runs in the transaction that creates the listing.
 * @returns the number of photographs moved
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else
 */
export async function attachPhotos(
  ctx: Ctx,
  input: { draftId: string; propertyId: string },
): Promise<number> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return ctx.db.tx(async () => {
    const draft = await findPhotoOwner(ctx, user, { draftId: input.draftId }, { lock: true });
    const listing = await lockPhotoOwner(ctx, user, { propertyId: input.propertyId });
    if (!draft) return 0;
    const moved = await ctx.db
      .q()
      .updateTable('property_images')
      .set({ property_id: listing.id, draft_id: null })
      .where('draft_id', '=', draft.id)
      .execute();
    return moved.reduce((sum, { numUpdatedRows }) => sum + Number(numUpdatedRows), 0);
  });
}
