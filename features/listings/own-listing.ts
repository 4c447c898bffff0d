import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { type EditableColumns, editableColumns, type PropertyStatus } from './model.ts';

/** A seller's own listing, for the form and the commands. */
export interface OwnListing {
  id: string;
  status: PropertyStatus;
  reviewNote: string | null;
  listedAt: Date | null;
  row: EditableColumns;
  amenityIds: number[];
}

/**
 * Loads one of the seller's own listings that is not deleted; with `lock`, held until the transaction ends.
 * @throws NotFound for any other listing, so that ids cannot be probed
 */
export async function loadOwnListing(
  ctx: Ctx,
  { agentId, propertyId }: { agentId: string; propertyId: string },
  lock = false,
): Promise<OwnListing> {
  if (!isUuid(propertyId)) throw new NotFound('Property not found');
  const query = ctx.db
    .q()
    .selectFrom('properties')
    .select([...editableColumns, 'id', 'status', 'review_note', 'listed_at'])
    .where('id', '=', propertyId)
    .where('agent_id', '=', agentId)
    .where('deleted_at', 'is', null);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw new NotFound('Property not found');
  const amenities = await ctx.db
    .q()
    .selectFrom('property_amenities')
    .select('amenity_id')
    .where('property_id', '=', propertyId)
    .execute();
  return {
    id: row.id,
    status: row.status,
    reviewNote: row.review_note,
    listedAt: row.listed_at,
    row,
    amenityIds: amenities.map((one) => one.amenity_id),
  };
}
