import { isUuid } from '#features/accounts/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { changePhotos } from '../change.ts';
import type { PhotoAnswer, PhotoOwner } from '../model.ts';
import { mayChangePhotos } from '../rules.ts';

/**
 * Takes a photograph away; the next one becomes the main one where it was (B-039). One that is gone already is no fault:
 * the request may be a repetition. Its files are swept a day later.
 * @throws Unauthenticated, Forbidden; NotFound for what is not the seller's
 */
export async function deletePhoto(
  ctx: Ctx,
  input: { owner: PhotoOwner; photoId: string },
): Promise<PhotoAnswer> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return changePhotos(ctx, user, input.owner, 'photo.delete', async ({ column, id }) => {
    if (!isUuid(input.photoId)) return { changed: false };
    const gone = await ctx.db
      .q()
      .deleteFrom('property_images')
      .where('id', '=', input.photoId)
      .where(column, '=', id)
      .returning('image_id')
      .executeTakeFirst();
    return { changed: gone !== undefined, after: { photo: input.photoId, image: gone?.image_id } };
  });
}
