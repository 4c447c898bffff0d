import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { isUuid } from '#platform/uuid.ts';
import { changePhotos } from '../change-photos.ts';
import { sweepJob } from '../jobs.ts';
import type { PhotoOwner, PhotoResult } from '../model.ts';
import { mayChangePhotos } from '../rules.ts';

/**
 * Deletes a photograph; the next one is promoted if it was the main one. Idempotent, so that a request can be
 * retried. Its files are swept by a job, at once.
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else
 */
export async function deletePhoto(
  ctx: Ctx,
  input: { owner: PhotoOwner; photoId: string },
): Promise<PhotoResult> {
  const user = authorizedUser(ctx, mayChangePhotos);
  return changePhotos(ctx, user, input.owner, 'photo.delete', async ({ column, id }) => {
    if (!isUuid(input.photoId)) return { changed: false };
    const deleted = await ctx.db
      .q()
      .deleteFrom('property_images')
      .where('id', '=', input.photoId)
      .where(column, '=', id)
      .returning('image_id')
      .executeTakeFirst();
    if (deleted) await enqueue(ctx, sweepJob, {}, { key: 'deleted' });
    return { changed: deleted !== undefined, after: { photo: input.photoId, image: deleted?.image_id } };
  });
}
