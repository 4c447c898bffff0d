import type { Ctx } from '#platform/context.ts';
import type { OwnPlace } from './owner.ts';

/** Makes one of a place's photographs the only main one; the former takes its position. Runs in a transaction. */
export async function makeMain(ctx: Ctx, { column, id }: OwnPlace, photoId: string): Promise<void> {
  const q = ctx.db.q();
  const former = await q
    .selectFrom('property_images')
    .select(['id', 'position'])
    .where(column, '=', id)
    .where('is_main', '=', true)
    .executeTakeFirst();
  if (former)
    await q
      .updateTable('property_images')
      .set(({ selectFrom }) => ({
        is_main: false,
        position: selectFrom('property_images as chosen')
          .select('chosen.position')
          .where('chosen.id', '=', photoId),
      }))
      .where('id', '=', former.id)
      .execute();
  await q
    .updateTable('property_images')
    .set({ is_main: true, ...(former && { position: former.position }) })
    .where('id', '=', photoId)
    .execute();
}
