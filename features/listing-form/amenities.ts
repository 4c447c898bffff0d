import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';

/**
 * Replaces the listing's amenities; ids that no longer exist are ignored. A listing that has others then counts as changed, so that who
 * copies listings by the time of their change learns of it.
 */
export async function setAmenities(ctx: Ctx, propertyId: string, ids: readonly number[]): Promise<void> {
  const q = ctx.db.q();
  const removed = await q
    .deleteFrom('property_amenities')
    .where('property_id', '=', propertyId)
    .$if(ids.length > 0, (query) => query.where('amenity_id', 'not in', ids))
    .returning('amenity_id')
    .execute();
  const added =
    ids.length === 0
      ? []
      : await q
          .insertInto('property_amenities')
          .columns(['property_id', 'amenity_id'])
          .expression(
            q
              .selectFrom('amenities')
              .select([sql<string>`${propertyId}::uuid`.as('property_id'), 'id as amenity_id'])
              .where('id', 'in', ids),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('amenity_id')
          .execute();
  if (removed.length + added.length > 0)
    await q.updateTable('properties').set({ updated_at: sql`now()` }).where('id', '=', propertyId).execute();
}
