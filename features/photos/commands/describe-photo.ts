import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { changePhotos, refused } from '../change-photos.ts';
import { ALT_LIMIT, CAPTION_LIMIT, type PhotoOwner, type PhotoResult } from '../model.ts';
import { mayChangePhotos } from '../rules.ts';

/** Captions and alternative texts are single lines. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/**
 * Sets a photograph's caption and alternative text, one line each; an empty one removes it.
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else, and for a deleted photograph
 */
export async function describePhoto(
  ctx: Ctx,
  input: { owner: PhotoOwner; photoId: string; caption: string; alt: string },
): Promise<PhotoResult> {
  const user = authorizedUser(ctx, mayChangePhotos);
  const [caption, alt] = [oneLine(input.caption), oneLine(input.alt)];
  return changePhotos(ctx, user, input.owner, 'photo.describe', async ({ column, id }) => {
    if (caption.length > CAPTION_LIMIT || alt.length > ALT_LIMIT) return refused('too_long');
    const row = await ctx.db
      .q()
      .updateTable('property_images')
      .set({ caption, alt })
      .where(({ cast, ref }) => cast<string>(ref('id'), 'text'), '=', input.photoId)
      .where(column, '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!row) throw new NotFound('Photo not found');
    return { changed: true, after: { photo: row.id, caption, alt } };
  });
}
