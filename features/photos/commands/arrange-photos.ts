import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { changePhotos } from '../change-photos.ts';
import type { PhotoOwner, PhotoResult } from '../model.ts';
import { mayChangePhotos } from '../rules.ts';
import { selectPhotos } from '../select-photos.ts';

/**
 * Sorts the photographs in the order of `ids`. Photos missing from `ids` (just added in another tab) follow in their
 * previous order; unknown ids are ignored. The main photo stays first regardless of its position.
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else
 */
export async function arrangePhotos(
  ctx: Ctx,
  input: { owner: PhotoOwner; ids: readonly string[] },
): Promise<PhotoResult> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return changePhotos(ctx, user, input.owner, 'photo.arrange', async (ownerRecord) => {
    const before = (await selectPhotos(ctx, ownerRecord)).map(({ id }) => id);
    const known = new Set(before);
    const named = [...new Set(input.ids)].filter((id) => known.has(id));
    const order = [...named, ...before.filter((id) => !named.includes(id))];
    for (const [position, id] of order.entries())
      await ctx.db.q().updateTable('property_images').set({ position }).where('id', '=', id).execute();
    return { changed: order.join() !== before.join(), after: { order } };
  });
}
