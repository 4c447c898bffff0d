import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { type EditableColumns, editableColumns, type PropertyStatus } from './model.ts';

/** A listing, for the form and the commands of its seller or an administrator. */
export interface OwnListing {
  id: string;
  agentId: string;
  featured: boolean;
  status: PropertyStatus;
  reviewNote: string | null;
  listedAt: Date | null;
  row: EditableColumns;
  amenityIds: number[];
}

/**
 * Loads one of the seller's own listings that is not deleted; with `lock`, held until the transaction ends.
 * @param agentId null for an administrator, who has all of them
 * @throws NotFound for any other listing, so that ids cannot be probed
 */
export async function loadOwnListing(
  ctx: Ctx,
  { agentId, propertyId }: { agentId: string | null; propertyId: string },
  lock = false,
): Promise<OwnListing> {
  if (!isUuid(propertyId)) throw new NotFound('Property not found');
  const query = ctx.db
    .q()
    .selectFrom('properties')
    .select([...editableColumns, 'id', 'agent_id', 'is_featured', 'status', 'review_note', 'listed_at'])
    .where('id', '=', propertyId)
    .$if(agentId !== null, (all) => all.where('agent_id', '=', agentId))
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
    agentId: row.agent_id,
    featured: row.is_featured,
    status: row.status,
    reviewNote: row.review_note,
    listedAt: row.listed_at,
    row,
    amenityIds: amenities.map((one) => one.amenity_id),
  };
}
