import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { changePhotos, refused } from '../change-photos.ts';
import { ALT_LIMIT, CAPTION_LIMIT, type PhotoOwner, type PhotoResult, type PhotoTexts } from '../model.ts';
import { mayChangePhotos } from '../rules.ts';

/** Captions and alternative texts are single lines. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

const asStored = ({ caption, alt }: PhotoTexts): PhotoTexts => ({
  caption: oneLine(caption),
  alt: oneLine(alt),
});
const isSame = (one: PhotoTexts, other: PhotoTexts): boolean =>
  one.caption === other.caption && one.alt === other.alt;

/**
 * Sets a photograph's caption and alternative text, one line each; an empty one removes it.
 * @param input.base the texts that the page showed; whatever stands is replaced without them
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else, and for a deleted photograph
 */
export async function describePhoto(
  ctx: Ctx,
  input: { owner: PhotoOwner; photoId: string; base?: PhotoTexts | undefined } & PhotoTexts,
): Promise<PhotoResult> {
  const user = authorizedUser(ctx, mayChangePhotos);
  const { caption, alt } = asStored(input);
  const base = input.base && asStored(input.base);
  return changePhotos(ctx, user, input.owner, 'photo.describe', async ({ column, id }) => {
    if (caption.length > CAPTION_LIMIT || alt.length > ALT_LIMIT) return refused('too_long');
    // The listing is locked: nobody describes its photographs at the same time.
    const row = await ctx.db
      .q()
      .selectFrom('property_images')
      .select(['id', 'caption', 'alt'])
      .where(({ cast, ref }) => cast<string>(ref('id'), 'text'), '=', input.photoId)
      .where(column, '=', id)
      .executeTakeFirst();
    if (!row) throw new NotFound('Photo not found');
    if (base && !isSame(base, row) && !isSame({ caption, alt }, row)) return refused('newer');
    await ctx.db.q().updateTable('property_images').set({ caption, alt }).where('id', '=', row.id).execute();
    return { changed: true, after: { photo: row.id, caption, alt } };
  });
}
