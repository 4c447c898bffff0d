import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { changePhotos } from '../change.ts';
import { makeMain } from '../main.ts';
import type { PhotoAnswer, PhotoOwner } from '../model.ts';
import { photosIn } from '../rows.ts';
import { mayChangePhotos } from '../rules.ts';

/**
 * Makes a photograph the main one; the former takes its place (B-039).
 * @throws Unauthenticated, Forbidden; NotFound for what is not the seller's, and for a photograph that is gone
 */
export async function setMainPhoto(
  ctx: Ctx,
  input: { owner: PhotoOwner; photoId: string },
): Promise<PhotoAnswer> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return changePhotos(ctx, user, input.owner, 'photo.main', async (place) => {
    const photos = await photosIn(ctx, place);
    const chosen = photos.find(({ id }) => id === input.photoId);
    if (!chosen) throw new NotFound('Photo not found');
    if (chosen.isMain) return { changed: false };
    await makeMain(ctx, place, chosen.id, { trade: true });
    return { changed: true, after: { main: chosen.id } };
  });
}
