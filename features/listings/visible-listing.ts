import type { Selectable } from 'kysely';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { pageVisibility } from './rules.ts';

const columns = [
  'id',
  'agent_id',
  'address',
  'status',
  'is_public',
  'type_id',
  'price_cents',
  'state',
  'city',
  'latitude',
  'longitude',
  'listed_at',
  'paused_at',
  'off_market_at',
] as const;

interface VisibleListing extends Pick<Selectable<DB['properties']>, (typeof columns)[number]> {
  seller: {
    id: string;
    /** the seller's account; null before the invitation is accepted */
    userId: string | null;
    suspended: boolean;
  };
}

/**
 * A listing whose page the actor may see.
 * @throws NotFound for any other, so that ids cannot be probed
 */
export async function visibleListing(ctx: Ctx, propertyId: string): Promise<VisibleListing> {
  const listing = await findVisibleListing(ctx, propertyId);
  if (!listing) throw new NotFound('Property not found');
  return listing;
}

/** The same, or null for any other listing. */
export async function findVisibleListing(ctx: Ctx, propertyId: string): Promise<VisibleListing | null> {
  authorize(ctx, anyone);
  if (!isUuid(propertyId.toLowerCase())) return null;
  const row = await ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .select(columns.map((column) => `p.${column}` as const))
    .select([
      'a.user_id as seller_user_id',
      'a.status as seller_status',
      'a.archived_at as seller_archived_at',
    ])
    .where('p.id', '=', propertyId)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const { seller_user_id: userId, seller_status, seller_archived_at, ...listing } = row;
  const suspended = seller_status === 'suspended' || seller_archived_at !== null;
  const seller = { id: row.agent_id, userId, suspended };
  const { status, is_public: isPublic } = row;
  return pageVisibility(ctx.actor, { status, isPublic, seller }) === 200 ? { ...listing, seller } : null;
}
