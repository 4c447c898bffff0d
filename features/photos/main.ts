import type { Ctx } from '#platform/context.ts';
import type { OwnPlace } from './owner.ts';

/**
 * Makes one of a place's photographs the only main one. Runs in a transaction.
 * @param trade the former one takes the other's place among the rest; without it each keeps its own
 */
export async function makeMain(
  ctx: Ctx,
  { column, id }: OwnPlace,
  photoId: string,
  { trade }: { trade: boolean },
): Promise<void> {
  const q = ctx.db.q();
  const of = await q
    .selectFrom('property_images')
    .select(['id', 'position', 'is_main'])
    .where(column, '=', id)
    .execute();
  const former = of.find(({ is_main }) => is_main);
  const chosen = of.find((photo) => photo.id === photoId);
  if (!chosen) throw new Error(`The photograph ${photoId} is not in this place`);
  const [above, below] = trade && former ? [former, chosen] : [chosen, former ?? chosen];
  // One after the other: at no time are there two main ones.
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
