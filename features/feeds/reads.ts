import { sql } from 'kysely';
import { buyerFees } from '#features/fees/reads.ts';
import { totalCents } from '#features/fees/rules.ts';
import { townLine } from '#features/listings/display.ts';
import { isPubliclyVisible } from '#features/listings/sql.ts';
import { brandName } from '#features/settings/reads.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { feedPaths } from '#routing/feed-paths.ts';
import { feedLimits } from './limits.ts';
import { type ClosingDate, FEED_ITEMS, type FeedItem, MOST_DATES, type SearchFeed } from './model.ts';
import { mayHaveFeeds, mayReadFeed } from './rules.ts';
import { isSignatureOf, signatureOf } from './signature.ts';

/**
 * The path of the feed of one's own saved search. Whoever has it reads the feed, until the search is deleted.
 * @throws Unauthenticated; NotFound for anybody else's search
 */
export async function searchFeedPath(ctx: Ctx, { searchId }: { searchId: string }): Promise<string> {
  const user = authorizedUser(ctx, mayHaveFeeds);
  const own =
    isUuid(searchId) &&
    (await ctx.db
      .q()
      .selectFrom('saved_searches')
      .select('id')
      .where('id', '=', searchId)
      .where('user_id', '=', user.id)
      .executeTakeFirst());
  if (!own) throw new NotFound('Saved search not found');
  return feedPaths.search(searchId, signatureOf(ctx.config, searchId));
}

/**
 * The newest fifty matches of a saved search that everybody may see, for whoever knows the signature.
 * Only their requests count for its limit, so that nobody else uses it up or counts for searches that do not exist.
 * @throws NotFound for a search that does not exist and for a wrong signature; TooManyRequests
 */
export async function searchFeed(
  ctx: Ctx,
  { searchId, signature }: { searchId: string; signature: string },
): Promise<SearchFeed> {
  authorize(ctx, mayReadFeed);
  if (!isUuid(searchId) || !isSignatureOf(ctx.config, searchId, signature)) throw new NotFound();
  await takeTokens(ctx, feedLimits.search, `search:${searchId}`);
  const search = await ctx.db
    .q()
    .selectFrom('saved_searches')
    .select('name')
    .where('id', '=', searchId)
    .executeTakeFirst();
  if (!search) throw new NotFound();
  const [fees, brand, { rows }] = await Promise.all([
    buyerFees(ctx),
    brandName(ctx),
    sql<Omit<FeedItem, 'town' | 'totalCents'> & { city: string; state: string; zip: string; price: number }>`
      select p.id as "propertyId", p.address, p.city, p.state, p.zip, p.price_cents as price, m.matched_at as "matchedAt"
      from saved_search_matches m join properties p on p.id = m.property_id and ${isPubliclyVisible('p')}
      where m.search_id = ${searchId} order by m.matched_at desc, p.id limit ${FEED_ITEMS}`.execute(
      ctx.db.q(),
    ),
  ]);
  return {
    name: search.name,
    brand,
    items: rows.map(({ propertyId, address, matchedAt, price, ...place }) => ({
      propertyId,
      address,
      matchedAt,
      town: townLine(place),
      totalCents: totalCents(price, fees),
    })),
  };
}

/**
 * What is due in the viewer's sales in escrow, as buyer and as seller, the earliest first: the seller's closing documents, then the buyer's
 * confirmation. Nothing of a sale in which something has to be settled first, because its dates move when it is.
 * @throws Unauthenticated
 */
export async function closingDates(ctx: Ctx): Promise<ClosingDate[]> {
  const user = authorizedUser(ctx, mayHaveFeeds);
  const { rows } = await sql<ClosingDate>`
    with own as (
      select s.*, 'buyer' as party from property_sales s where s.buyer_id = ${user.id} and ${isMoving}
      union all
      select s.*, 'seller' as party from property_sales s where s.agent_id = ${user.agentId}::uuid and ${isMoving}
    )
    select own.id as "saleId", own.party, p.address, own.updated_at as "changedAt",
      case when own.documents_delivered_at is null then 'documents' else 'confirmation' end as kind,
      case when own.documents_delivered_at is null then own.documents_due_at else own.release_due_at end as "dueAt"
    from own join properties p on p.id = own.property_id
    where case when own.documents_delivered_at is null then own.documents_due_at else own.release_due_at end is not null
    order by "dueAt", own.id limit ${MOST_DATES}`.execute(ctx.db.q());
  return rows;
}

/** A sale in escrow in which nothing has to be settled first. */
const isMoving = sql`s.escrow_status = 'in_escrow' and s.frozen_at is null and s.cancellation_requested_at is null
  and not exists (select from disputes d where d.sale_id = s.id and d.status = 'open' and d.kind = 'problem')`;
