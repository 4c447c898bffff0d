import { sql } from 'kysely';
import { visibleListing } from '#features/listings/reads.ts';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { PublicHistory } from './model.ts';
import { publicEvents, type RecordedChange } from './rules.ts';

/** More changes than any listing has; what is older is left out. */
const MOST_CHANGES = 500;

/**
 * Price history and days on market of a listing whose page the actor may see: public facts only, the same for everyone.
 * @throws NotFound for any other
 */
export async function publicHistory(ctx: Ctx, propertyId: string): Promise<PublicHistory> {
  authorize(ctx, anyone);
  const listing = await visibleListing(ctx, propertyId);
  const { rows } = await sql<{ days: number; changes: (Omit<RecordedChange, 'at'> & { at: string })[] }>`
    select days_on_market(p, ${ctx.now()}) as days, coalesce((
      select json_agg(json_build_object('field', c.field, 'from', c.previous_value, 'to', c.new_value, 'at', c.created_at)
        order by c.id)
      from (select * from property_changes c where c.property_id = p.id and c.field in ('status', 'price_cents')
        order by c.created_at desc, c.id desc limit ${MOST_CHANGES}) c), '[]') as changes
    from properties p where p.id = ${listing.id}`.execute(ctx.db.q());
  const [row] = rows;
  return {
    events: publicEvents(
      (row?.changes ?? []).map((change) => ({ ...change, at: new Date(change.at) })),
      {
        status: listing.status,
        priceCents: listing.price_cents,
        listedAt: listing.listed_at,
        pausedAt: listing.paused_at,
        offMarketAt: listing.off_market_at,
      },
    ),
    days: listing.listed_at === null || !row ? null : row.days,
  };
}
