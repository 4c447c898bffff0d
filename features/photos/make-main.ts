import type { Ctx } from '#platform/context.ts';
import type { PhotoOwnerRecord } from './photo-owner.ts';

/**
 * Makes a photo the only main one. Runs in a transaction.
 * @param trade swap positions with the former main photo; otherwise both keep theirs
 */
export async function makeMain(
  ctx: Ctx,
  { column, id }: PhotoOwnerRecord,
  photoId: string,
  { swap }: { swap: boolean },
): Promise<void> {
  const q = ctx.db.q();
  const photos = await q
    .selectFrom('property_images')
    .select(['id', 'position', 'is_main'])
    .where(column, '=', id)
    .execute();
  const former = photos.find(({ is_main }) => is_main);
  const chosen = photos.find((photo) => photo.id === photoId);
  if (!chosen) throw new Error(`The photograph ${photoId} is not in this place`);
  const [above, below] = swap && former ? [former, chosen] : [chosen, former ?? chosen];
  // In this order there are never two main photos, which a unique index forbids.
  if (former)
    await q
      .updateTable('property_images')
      .set({ is_main: false, position: below.position })
      .where('id', '=', former.id)
      .execute();
  await q
    .updateTable('property_images')
    .set({ is_main: true, position: above.position })
    .where('id', '=', photoId)
    .execute();
}
