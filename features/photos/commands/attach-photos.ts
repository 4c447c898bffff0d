import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { heldPlace, ownPlace } from '../owner.ts';
import { mayChangePhotos } from '../rules.ts';

/**
 * Hands the photographs of a draft over to the listing that came of it; the draft has none afterwards. Runs in the
 * transaction that makes the listing.
 * @returns how many there were
 * @throws Unauthenticated, Forbidden; NotFound for what is not the seller's
 */
export async function attachPhotos(
  ctx: Ctx,
  input: { draftId: string; propertyId: string },
): Promise<number> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return ctx.db.tx(async (q) => {
    const draft = await ownPlace(ctx, user, { draftId: input.draftId }, { lock: true });
    const listing = await heldPlace(ctx, user, { propertyId: input.propertyId });
    if (!draft) return 0;
    const moved = await q
      .updateTable('property_images')
      .set({ property_id: listing.id, draft_id: null })
      .where('draft_id', '=', draft.id)
      .execute();
    return moved.reduce((sum, { numUpdatedRows }) => sum + Number(numUpdatedRows), 0);
  });
}
