import type { ListingCard } from '#features/listings/model.ts';
import { cardColumns, cardsOf } from '#features/listings/reads.ts';
import { isPubliclyVisible, mainPicture } from '#features/listings/sql.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { maySeeOwnViews } from './rules.ts';

/** How many properties 'Recently Viewed' shows. */
const RECENT = 10;

/** A property that the user viewed; `viewedAt` is ISO 8601, UTC. */
export interface RecentView {
  card: ListingCard;
  viewedAt: string;
}

/**
 * The last ten properties that the user viewed, newest first, including sold ones but none whose page is no longer
 * public.
 * @throws Unauthenticated
 */
export async function recentlyViewed(ctx: Ctx): Promise<RecentView[]> {
  const user = authorizedUser(ctx, maySeeOwnViews);
  const rows = await ctx.db
    .q()
    .selectFrom('property_views as v')
    .innerJoin('properties', 'properties.id', 'v.property_id')
    .select(cardColumns)
    .select([mainPicture().as('picture'), 'v.viewed_at'])
    .where('v.user_id', '=', user.id)
    .where(isPubliclyVisible())
    .orderBy('v.viewed_at', 'desc')
    .orderBy('v.id')
    .limit(RECENT)
    .execute();
  const cards = await cardsOf(ctx, rows);
  return rows.flatMap((row, at) => {
    const card = cards[at];
    return card ? [{ card, viewedAt: row.viewed_at.toISOString() }] : [];
  });
}
