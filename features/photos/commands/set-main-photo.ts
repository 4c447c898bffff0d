import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { changePhotos } from '../change-photos.ts';
import { makeMain } from '../make-main.ts';
import type { PhotoOwner, PhotoResult } from '../model.ts';
import { mayChangePhotos } from '../rules.ts';
import { selectPhotos } from '../select-photos.ts';

/**
 * Makes a photograph the main one; the former main photo takes its position.
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else, and for a deleted photograph
 */
export async function setMainPhoto(
  ctx: Ctx,
  input: { owner: PhotoOwner; photoId: string },
): Promise<PhotoResult> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return changePhotos(ctx, user, input.owner, 'photo.main', async (ownerRecord) => {
    const photos = await selectPhotos(ctx, ownerRecord);
    const chosen = photos.find(({ id }) => id === input.photoId);
    if (!chosen) throw new NotFound('Photo not found');
    if (chosen.isMain) return { changed: false };
    await makeMain(ctx, ownerRecord, chosen.id, { swap: true });
    return { changed: true, after: { main: chosen.id } };
  });
}
