import { type RawBuilder, sql } from 'kysely';
import type { CardRow } from '#features/listings/reads.ts';
import type { Query } from '#platform/db/database.ts';
import { EXACT_TOTAL, PAGE_SIZE, type SearchSort } from './model.ts';
import { cutAt, type Plan } from './plan.ts';
import { type Filter, filterLiteral, noFilter, queryText, type Term } from './terms.ts';

/** A listing as the cards of the list need it, with the names of the columns; its base price is in cents. */
export interface FoundRow extends CardRow {
  title: string | null;
  created_at: Date;
  latitude: number | null;
  longitude: number | null;
}

export interface FetchedPage {
  rows: FoundRow[];
  /** what the plan's way of counting has counted */
  counted: number;
  /** whether a hit follows the page's last one */
  more: boolean;
}

type Row = { counted: number } & (FoundRow | { id: null });

/** One page along the plan, with all that its cards show, in one statement. */
export async function fetchPage(
  q: Query,
  plan: Plan,
  filter: Filter,
  sort: SearchSort,
  first: number,
): Promise<FetchedPage> {
  const asked = sql`${filterLiteral(filter)}::search_filter`;
  const page = sql`${sort}, ${first}, ${PAGE_SIZE + 1}`;
  const found: RawBuilder<unknown> =
    plan.way === 'match'
      ? sql`select id, total as counted from
          search_match(${plan.query}::tsquery, ${plan.also}::tsquery, ${plan.rest}::tsquery, ${asked}, ${plan.nearest}, ${page})`
      : sql`with total as materialized (select ${countOf(plan, asked)} as counted)
          select walked.id, total.counted from total
          left join lateral (select id from search_walk(${plan.query}::tsquery, ${asked}, ${page}, ${plan.bound}) way (id)
            where total.counted > ${plan.least}) walked on true`;
  const { rows } = await sql<Row>`
    with found as materialized (select *, row_number() over () as place from (${found}) hits)
    select found.counted, p.id, p.title, p.address, p.city, p.state, p.zip, p.price_cents, p.bedrooms, p.bathrooms,
      p.half_baths, p.square_feet, p.lot_square_feet, p.type_id, p.status, p.created_at, p.latitude, p.longitude,
      main.picture
    from found left join properties p on p.id = found.id
    left join lateral (
      select json_build_object('id', s.id, 'width', s.width, 'height', s.height, 'widths', s.widths,
        'placeholder', s.placeholder, 'alt', i.alt) as picture
      from property_images i join stored_images s on s.id = i.image_id
      where i.property_id = p.id order by i.is_main desc, i.position, i.id limit 1
    ) main on true
    order by found.place`.execute(q);
  const cards = rows.flatMap(({ counted: _, ...row }) => (row.id === null ? [] : [row]));
  return {
    rows: cards.slice(0, PAGE_SIZE),
    counted: rows[0]?.counted ?? 0,
    more: cards.length > PAGE_SIZE,
  };
}

const countOf = ({ query, count }: Extract<Plan, { way: 'walk' }>, asked: RawBuilder<unknown>) =>
  count.by === 'index'
    ? sql`search_count(${count.query}::tsquery, ${count.also}::tsquery, ${count.rest}::tsquery, ${asked},
        ${EXACT_TOTAL + 1})`
    : sql`search_sample(${query}::tsquery, ${asked}, ${cutAt(count.share)}::uuid)`;

/** True when at least one public listing has all terms. */
export async function anyListing(q: Query, terms: readonly Term[]): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`select search_count(${queryText(terms)}::tsquery, null, null,
    ${filterLiteral(noFilter)}::search_filter, 1) as found`.execute(q);
  return (rows[0]?.found ?? 0) > 0;
}
