import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';

/** Replaces the listing's amenities; ids that no longer exist are ignored. */
export async function setAmenities(ctx: Ctx, propertyId: string, ids: readonly number[]): Promise<void> {
  const q = ctx.db.q();
  await q.deleteFrom('property_amenities').where('property_id', '=', propertyId).execute();
  if (ids.length === 0) return;
  await q
    .insertInto('property_amenities')
    .columns(['property_id', 'amenity_id'])
    .expression(
      q
        .selectFrom('amenities')
        .select([sql<string>`${propertyId}::uuid`.as('property_id'), 'id as amenity_id'])
        .where('id', 'in', ids),
    )
    .execute();
}
