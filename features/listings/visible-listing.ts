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

type VisibleListing = Pick<Selectable<DB['properties']>, (typeof columns)[number]>;

/**
 * A listing whose page the actor may see.
 * @throws NotFound for any other, so that ids cannot be probed
 */
export async function visibleListing(ctx: Ctx, propertyId: string): Promise<VisibleListing> {
  authorize(ctx, anyone);
  const row = isUuid(propertyId.toLowerCase())
    ? await ctx.db
        .q()
        .selectFrom('properties')
        .select(columns)
        .where('id', '=', propertyId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined;
  const seen =
    row &&
    pageVisibility(ctx.actor, {
      status: row.status,
      isPublic: row.is_public,
      seller: { id: row.agent_id },
    }) === 200;
  if (!seen) throw new NotFound('Property not found');
  return row;
}
