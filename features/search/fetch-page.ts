import { type RawBuilder, sql } from 'kysely';
import type { CardRow } from '#features/listings/reads.ts';
import { mainPicture } from '#features/listings/sql.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cursor, EXACT_TOTAL, PAGE_SIZE, type SearchSort } from './model.ts';
import { idAtShare, type Plan } from './plan.ts';
import { type Filter, filterLiteral, noFilter, queryText, type Term } from './terms.ts';

/** A listing as needed by the cards of the list, by column name; base price in cents. */
export interface FoundRow extends CardRow {
  title: string | null;
  created_at: Date;
  latitude: number | null;
  longitude: number | null;
  /** what the list is sorted by, as in a `Cursor` */
  sort_key: number;
}

export interface FetchedPage {
  rows: FoundRow[];
  /** result of the plan's counting method */
  counted: number;
  /** whether there is a hit after the page */
  more: boolean;
}

type Row = { counted: number } & (FoundRow | { id: null });

/** Executes a plan: one page with all card data, in one statement. */
export async function fetchPage(
  ctx: Ctx,
  plan: Plan,
  filter: Filter,
  sort: SearchSort,
  first: number,
  after: Cursor | null = null,
): Promise<FetchedPage> {
  const filterSql = sql`${filterLiteral(filter)}::search_filter`;
  const page = sql`${sort}, ${first}, ${PAGE_SIZE + 1}`;
  const following = sql`${after?.key ?? null}::float8, ${after?.id ?? null}::uuid`;
  const found: RawBuilder<unknown> =
    plan.way === 'match'
      ? sql`select id, total as counted from
          search_match(${plan.query}::tsquery, ${plan.also}::tsquery, ${plan.rest}::tsquery, ${filterSql}, ${plan.nearest}, ${page}, ${following})`
      : sql`with total as materialized (select ${countSql(plan, filterSql)} as counted)
          select walked.id, total.counted from total
          left join lateral (select id from search_walk(${plan.query}::tsquery, ${filterSql}, ${page}, ${plan.bound}, ${following}) way (id)
            where total.counted > ${plan.minCount}) walked on true`;
  const { rows } = await sql<Row>`
    with found as materialized (select *, row_number() over () as place from (${found}) hits)
    select found.counted, p.id, p.title, p.address, p.city, p.state, p.zip, p.price_cents, p.bedrooms, p.bathrooms,
      p.half_baths, p.square_feet, p.lot_square_feet, p.type_id, p.status, p.created_at, p.latitude, p.longitude,
      case ${sort} when 'newest' then -date_part('epoch', p.created_at) when 'largest' then -coalesce(p.square_feet, -1)::float8
        when 'price-down' then -p.price_cents::float8 else p.price_cents::float8 end as sort_key,
      ${mainPicture('p')} as picture
    from found left join properties p on p.id = found.id
    order by found.place`.execute(ctx.db.replica());
  const cards = rows.flatMap(({ counted: _, ...row }) => (row.id === null ? [] : [row]));
  return {
    rows: cards.slice(0, PAGE_SIZE),
    counted: rows[0]?.counted ?? 0,
    more: cards.length > PAGE_SIZE,
  };
}

const countSql = ({ query, count }: Extract<Plan, { way: 'walk' }>, filterSql: RawBuilder<unknown>) =>
  count.by === 'index'
    ? sql`search_count(${count.query}::tsquery, ${count.also}::tsquery, ${count.rest}::tsquery, ${filterSql},
        ${EXACT_TOTAL + 1})`
    : sql`search_sample(${query}::tsquery, ${filterSql}, ${idAtShare(count.share)}::uuid)`;

/** True if at least one public listing matches all terms. */
export async function hasAnyListing(ctx: Ctx, terms: readonly Term[]): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`select search_count(${queryText(terms)}::tsquery, null, null,
    ${filterLiteral(noFilter)}::search_filter, 1) as found`.execute(ctx.db.replica());
  return (rows[0]?.found ?? 0) > 0;
}
