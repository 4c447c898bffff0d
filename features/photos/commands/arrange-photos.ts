import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { changePhotos } from '../change.ts';
import type { PhotoAnswer, PhotoOwner } from '../model.ts';
import { photosIn } from '../rows.ts';
import { mayChangePhotos } from '../rules.ts';

/**
 * Puts the photographs into the order of `ids`. What `ids` does not name (another tab has just added it) follows behind,
 * in its former order; ids of other things count for nothing. The main one stays in front whatever its place.
 * @throws Unauthenticated, Forbidden; NotFound for what is not the seller's
 */
export async function arrangePhotos(
  ctx: Ctx,
  input: { owner: PhotoOwner; ids: readonly string[] },
): Promise<PhotoAnswer> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return changePhotos(ctx, user, input.owner, 'photo.arrange', async (place) => {
    const before = (await photosIn(ctx, place)).map(({ id }) => id);
    const known = new Set(before);
    const named = [...new Set(input.ids)].filter((id) => known.has(id));
    const order = [...named, ...before.filter((id) => !named.includes(id))];
    for (const [position, id] of order.entries())
      await ctx.db.q().updateTable('property_images').set({ position }).where('id', '=', id).execute();
    return { changed: order.join() !== before.join(), after: { order } };
  });
}
