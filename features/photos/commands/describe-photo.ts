import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { changePhotos, refused } from '../change.ts';
import { ALT_LIMIT, CAPTION_LIMIT, type PhotoAnswer, type PhotoOwner } from '../model.ts';
import { mayChangePhotos } from '../rules.ts';

/** One line of text: a caption stands under the picture, an alternative text in its stead. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/**
 * Writes a photograph's caption and alternative text (B-040), one line each; an empty one takes it away.
 * @throws Unauthenticated, Forbidden; NotFound for what is not the seller's, and for a photograph that is gone
 */
export async function describePhoto(
  ctx: Ctx,
  input: { owner: PhotoOwner; photoId: string; caption: string; alt: string },
): Promise<PhotoAnswer> {
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
