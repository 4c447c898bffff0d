import type { Ctx } from '#platform/context.ts';
import type { Photo } from './model.ts';
import type { PhotoOwnerRecord } from './photo-owner.ts';

/** The photos of a listing or draft, main one first, then by position. */
export async function selectPhotos(
  ctx: Ctx,
  { column, id }: Pick<PhotoOwnerRecord, 'column' | 'id'>,
): Promise<Photo[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('property_images as i')
    .innerJoin('stored_images as s', 's.id', 'i.image_id')
    .select(['i.id', 'i.image_id', 'i.is_main', 'i.position', 'i.caption', 'i.alt'])
    .select(['s.width', 's.height', 's.widths', 's.placeholder'])
    .where(`i.${column}`, '=', id)
    .orderBy('i.is_main', 'desc')
    .orderBy('i.position')
    .orderBy('i.id')
    .execute();
  return rows.map(({ image_id, is_main, ...row }) => ({ ...row, imageId: image_id, isMain: is_main }));
}
