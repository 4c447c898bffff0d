import type { ListingCard } from '#features/listings/model.ts';
import { cardColumns, cardsOf, mainPicture } from '#features/listings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { maySeeOwnViews } from './rules.ts';

/** How many 'Recently Viewed' shows (S0 §9). */
const RECENT = 10;

/** A property that the person opened; `viewedAt` is ISO, UTC. */
export interface RecentView {
  card: ListingCard;
  viewedAt: string;
}

/**
 * The last ten properties that the person opened, newest first: sold ones too, with their badge, but none whose page is
 * closed to them (B-222).
 * @throws Unauthenticated
 */
export async function recentlyViewed(ctx: Ctx): Promise<RecentView[]> {
  const user = authorizedUser(ctx, maySeeOwnViews);
  const rows = await ctx.db
    .q()
    .selectFrom('property_views as v')
    .innerJoin('properties', 'properties.id', 'v.property_id')
    .select(cardColumns)
    .select([mainPicture.as('picture'), 'v.viewed_at'])
    .where('v.user_id', '=', user.id)
    .where('properties.deleted_at', 'is', null)
    .where((may) =>
      may.or([may('properties.is_public', '=', true), may('properties.status', 'in', ['escrow', 'Sold'])]),
    )
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
