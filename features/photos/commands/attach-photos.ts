import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { findPhotoOwner, lockPhotoOwner } from '../photo-owner.ts';
import { mayChangePhotos } from '../rules.ts';

/**
 * Moves the photographs of a draft to the listing created from it: all of them, or those with the given ids. Runs in the transaction that creates the listing.
 * @returns the number of photographs moved
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else
 */
export async function attachPhotos(
  ctx: Ctx,
  input: { draftId: string; propertyId: string; photoIds?: readonly string[] | null | undefined },
): Promise<number> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return ctx.db.tx(async () => {
    const draft = await findPhotoOwner(ctx, user, { draftId: input.draftId }, { lock: true });
    const listing = await lockPhotoOwner(ctx, user, { propertyId: input.propertyId });
    if (!draft) return 0;
    const ids = input.photoIds?.filter(isUuid) ?? null;
    if (ids?.length === 0) return 0;
    const moved = await ctx.db
      .q()
      .updateTable('property_images')
      .set({ property_id: listing.id, draft_id: null })
      .where('draft_id', '=', draft.id)
      .$if(ids !== null, (some) => some.where('id', 'in', ids))
      .execute();
    await ensureMain(ctx, 'property_id', listing.id);
    await ensureMain(ctx, 'draft_id', draft.id);
    return moved.reduce((sum, { numUpdatedRows }) => sum + Number(numUpdatedRows), 0);
  });
}

/** Without its main photo, as when another tab took it along, the first one is. */
async function ensureMain(ctx: Ctx, owner: 'property_id' | 'draft_id', id: string): Promise<void> {
  const [first] = await ctx.db
    .q()
    .selectFrom('property_images')
    .select(['id', 'is_main'])
    .where(owner, '=', id)
    .orderBy('is_main', 'desc')
    .orderBy('position')
    .orderBy('id')
    .limit(1)
    .execute();
  if (first && !first.is_main)
    await ctx.db
      .q()
      .updateTable('property_images')
      .set({ is_main: true })
      .where('id', '=', first.id)
      .execute();
}
