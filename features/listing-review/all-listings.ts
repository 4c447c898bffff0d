import { type RawBuilder, sql } from 'kysely';
import { statusLabel, townLine } from '#features/listings/display.ts';
import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';
import { mainPicture } from '#features/listings/sql.ts';
import type { Ctx } from '#platform/context.ts';
import { keysOf } from '#platform/typed-keys.ts';
import { type AllListingsFilter, candidatesOf, matches } from './listing-search.ts';

/** Listings on one page of the administrators' table. */
export const ALL_LISTINGS_PAGE_SIZE = 25;

/** A listing in the administrators' table. Base price in integer cents. */
export interface AnyListing {
  id: string;
  address: string;
  town: string;
  type: string;
  picture: ListingPicture | null;
  priceCents: number;
  seller: { id: string; name: string };
  sellerSuspended: boolean;
  status: PropertyStatus;
  /** whole days on market */
  days: number;
  views: number;
  featured: boolean;
}

/**
 * Sortable columns: the order in SQL over `p`, `{dir}` being the direction, each along an index of its own. Equal ones
 * follow in the same direction. Addresses and names compare by bytes: the locale's order is ten times slower.
 */
const orders = {
  address: [sql`lower(p.address) collate "C"`, sql`p.id`],
  price: [sql`p.price_cents`, sql`p.id`],
  views: [sql`p.views`, sql`p.id`],
  seller: [sql`lower(a.name) collate "C"`, sql`a.id`, sql`p.id`],
  status: [],
  daysOnMarket: [],
} satisfies Record<string, RawBuilder<unknown>[]>;

export type AllListingsSort = keyof typeof orders;
export const allListingsSorts = keysOf(orders);

interface Page {
  filter: AllListingsFilter;
  sort: { by: AllListingsSort; descending: boolean } | null;
  limit: number;
  offset: number;
  /** every match is known and few: sort them instead of walking along an index until enough are found */
  few: boolean;
}

const NEWEST = sql`p.created_at desc, p.id desc`;
const onTheMarket = sql`p.listed_at is not null and p.off_market_at is null and p.paused_at is null`;
const offTheMarket = sql`p.listed_at is not null and coalesce(p.off_market_at, p.paused_at) is not null`;
const begun = sql`(extract(epoch from p.listed_at - timestamptz '2000-01-01 00:00:00+00') + p.paused_seconds)`;
const lasted = sql`(extract(epoch from coalesce(p.off_market_at, p.paused_at) - p.listed_at) - p.paused_seconds)`;

/** SQL that selects the ids of the page's listings, in their order. */
function pageIds({ filter, sort, limit, offset, few }: Page, now: Date): RawBuilder<unknown> {
  const from = few
    ? sql`(${candidatesOf(filter)}) found join properties p on p.id = found.id join agents a on a.id = p.agent_id`
    : sql`properties p join agents a on a.id = p.agent_id`;
  const where = few ? sql`true` : matches(filter);
  const cut = sql`limit ${limit} offset ${offset}`;
  if (!sort) return sql`select p.id from ${from} where ${where} order by ${NEWEST} ${cut}`;
  const [way, back] = sort.descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  if (sort.by === 'status') {
    if (few)
      return sql`select p.id from ${from} where ${where} order by lower(p.status) ${way}, ${NEWEST} ${cut}`;
    // One status after the other, so that within each the newest come first in both directions. By the index of statuses: told that all
    // have the same one, the planner would go along the dates until it finds some, or none.
    return sql`select p.id from unnest(${keysOf(statusLabel)}::text[]) s(status)
        cross join lateral (select p.id, p.created_at from ${from} where ${where} and p.status between s.status and s.status
          order by p.status, ${NEWEST} limit ${limit + offset}) p
      order by lower(s.status) ${way}, ${NEWEST} ${cut}`;
  }
  if (sort.by === 'daysOnMarket') {
    const part = (seconds: RawBuilder<unknown>, only: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
      sql`(select p.id, ${seconds} as seconds from ${from} where ${where} and ${only} order by ${order} limit ${limit + offset})`;
    return sql`select p.id from (
        ${part(sql`extract(epoch from ${now}::timestamptz - timestamptz '2000-01-01 00:00:00+00') - ${begun}`, onTheMarket, sql`${begun} ${back}, p.id ${back}`)}
        union all ${part(lasted, offTheMarket, sql`${lasted} ${way}, p.id ${way}`)}
        union all ${part(sql`0`, sql`p.listed_at is null`, sql`p.id ${way}`)}) p
      order by p.seconds ${way}, p.id ${way} ${cut}`;
  }
  const order = sql.join(orders[sort.by].map((column) => sql`${column} ${way}`));
  return sql`select p.id from ${from} where ${where} order by ${order} ${cut}`;
}

interface Row extends Omit<AnyListing, 'town' | 'priceCents' | 'seller' | 'sellerSuspended' | 'featured'> {
  city: string;
  state: string;
  zip: string;
  price_cents: number;
  agent_id: string;
  seller_name: string;
  seller_suspended: boolean;
  is_featured: boolean;
}

/** A page of all listings, newest first unless sorted. */
export async function allListingRows(ctx: Ctx, page: Page): Promise<AnyListing[]> {
  const { rows } = await sql<Row>`
    select p.id, p.address, p.city, p.state, p.zip, coalesce(t.name, 'Residential') as type, p.price_cents, p.status,
      days_on_market(p, ${ctx.now()}) as days, p.views, p.is_featured, p.agent_id, a.name as seller_name,
      p.seller_suspended, ${mainPicture('p')} as picture
    from (select row_number() over () as place, chosen.id from (${pageIds(page, ctx.now())}) chosen) page
      join properties p on p.id = page.id
      join agents a on a.id = p.agent_id
      left join property_types t on t.id = p.type_id
    order by page.place`.execute(ctx.db.q());
  return rows.map(({ city, state, zip, price_cents, agent_id, seller_name, ...row }) => ({
    id: row.id,
    address: row.address,
    town: townLine({ city, state, zip }),
    type: row.type,
    picture: row.picture,
    priceCents: price_cents,
    seller: { id: agent_id, name: seller_name },
    sellerSuspended: row.seller_suspended,
    status: row.status,
    days: row.days,
    views: row.views,
    featured: row.is_featured,
  }));
}
