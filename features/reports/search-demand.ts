import { sql } from 'kysely';
import { normalizedWords, stateNamed } from '#features/search/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { priceBands } from './bands.ts';
import type { ReportRange, SearchReport } from './model.ts';
import { addDays } from './zone-days.ts';

type Demand = Pick<SearchReport, 'topSearches' | 'withoutResults' | 'demand'>;
type DemandRow = SearchReport['demand'][number];

/** How many of each are listed. */
const LISTED = 10;
/** Among so many of the most frequent words, those that name a place are looked for. */
const LOOKED_AT = 200;

/**
 * The terms that were searched for on the UTC days of a range: months that lie in it whole, the days besides, and what is not
 * folded yet.
 */
const termsIn = ({ from, to }: ReportRange) => {
  const [firstMonth, monthAfter] = [monthFrom(from), `${addDays(to, 1).slice(0, 7)}-01`];
  const hasMonths = firstMonth < monthAfter;
  const days = hasMonths
    ? sql`(start >= ${from} and start < ${firstMonth} or start >= ${monthAfter} and start <= ${to})`
    : sql`start between ${from} and ${to}`;
  return sql`(
    select kind, term, searches, empty, results, at from report_terms where span = 'day' and ${days}
    union all select kind, term, searches, empty, results, at from report_terms
      where span = 'month' and start >= ${firstMonth} and start < ${monthAfter}
    union all select metric, term, value, (results is not distinct from 0)::int, results, at from report_events
      where term is not null and at >= ${from}::date::timestamp at time zone 'UTC'
        and at < ${addDays(to, 1)}::date::timestamp at time zone 'UTC') terms`;
};

/** The first day of the first month that begins on that day or later. */
function monthFrom(day: string): string {
  return day.endsWith('-01') ? day : `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
}

/** What was searched for on the UTC days of a range, and how many listings there are of it now. */
export async function searchDemand(ctx: Ctx, range: ReportRange): Promise<Demand> {
  const [words, { types, bands }] = await Promise.all([wordsOf(ctx, range), askedFor(ctx, range)]);
  return {
    topSearches: words
      .filter(({ place }) => place <= LISTED)
      .toSorted((a, b) => a.place - b.place)
      .map(({ words: text, searches, results }) => ({ words: text, searches, results })),
    withoutResults: words
      .filter(({ empty, empty_place }) => empty > 0 && empty_place <= LISTED)
      .toSorted((a, b) => a.empty_place - b.empty_place)
      .map(({ words: text, empty }) => ({ words: text, searches: empty })),
    demand: [...types, ...bands, ...(await placesAmong(ctx, words))],
  };
}

interface Words {
  words: string;
  searches: number;
  empty: number;
  results: number | null;
  place: number;
  empty_place: number;
}

async function wordsOf(ctx: Ctx, range: ReportRange): Promise<Words[]> {
  const { rows } = await sql<Words>`
    with sums as (
      select term as words, sum(searches)::bigint as searches, sum(empty)::bigint as empty,
        (array_agg(results order by at desc))[1] as results
      from ${termsIn(range)} where kind = 'words' group by term),
    ranked as (
      select *, row_number() over (order by searches desc, words) as place,
        row_number() over (order by empty desc, words) as empty_place
      from sums)
    select * from ranked where place <= ${LOOKED_AT} or (empty_place <= ${LISTED} and empty > 0)`.execute(
    ctx.db.q(),
  );
  return rows;
}

/** Searches by type and price band, beside what is on the market as last counted. */
async function askedFor(ctx: Ctx, range: ReportRange): Promise<{ types: DemandRow[]; bands: DemandRow[] }> {
  const { rows } = await sql<{
    kind: 'type' | 'price';
    term: string;
    name: string | null;
    searches: number;
    listings: number;
  }>`
    with sums as (
      select kind, term, sum(searches)::bigint as searches from ${termsIn(range)} where kind in ('type', 'price')
      group by kind, term)
    select coalesce(s.kind, m.kind) as kind, coalesce(s.term, m.term) as term, t.name, coalesce(s.searches, 0) as searches,
      coalesce(m.listings, 0) as listings
    from sums s full join (select * from report_market where kind in ('type', 'price')) m on m.kind = s.kind and m.term = s.term
      left join property_types t on coalesce(s.kind, m.kind) = 'type' and t.id::text = coalesce(s.term, m.term)
    order by 4 desc, 3`.execute(ctx.db.q());
  const types = rows
    .filter(({ kind }) => kind === 'type')
    .flatMap(({ name, searches, listings }) =>
      name && searches > 0 ? { kind: 'type' as const, label: name, searches, listings } : [],
    );
  const prices = new Map(rows.filter(({ kind }) => kind === 'price').map((row) => [Number(row.term), row]));
  let asked = 0;
  const bands = priceBands.map(({ number, label }) => {
    const row = prices.get(number);
    // Each search was noted where its prices begin and where they have ended.
    asked += row?.searches ?? 0;
    return { kind: 'price' as const, label, searches: asked, listings: row?.listings ?? 0 };
  });
  return { types: types.slice(0, LISTED), bands: bands.some(({ searches }) => searches > 0) ? bands : [] };
}

/**
 * Those of the words that name a city, with or without its state, a ZIP code, a neighborhood or a state, and have listings. As in
 * the search, a city comes before a neighborhood of its name, and before its state: New York is the city.
 */
async function placesAmong(ctx: Ctx, words: readonly Words[]): Promise<DemandRow[]> {
  const states = words.map((asked) => stateNamed(normalizedWords(asked.words).join(' ')));
  const { rows } = await sql<DemandRow>`
    select 'place' as kind, found.label, sum(asked.searches)::bigint as searches, min(found.listings)::bigint as listings
    from (select search_text(words) as text, searches, code, state
        from unnest(${words.map(({ words: text }) => text)}::text[], ${words.map(({ searches }) => searches)}::bigint[],
          ${states.map((state) => state?.code ?? null)}::text[], ${states.map((state) => state?.name ?? null)}::text[])
          given (words, searches, code, state)) asked,
      lateral (
        with places as materialized (
          select mark, substring(max(place) from '[^|]*$') as label, sum(entries) as listings
          from unnest(array['=c:', '=z:', '=d:']) mark, search_places
          where place ~>=~ (mark || asked.text) and place ~<~ (mark || asked.text || '}')
            and substr(place, length(mark || asked.text) + 1) ~ case mark when '=d:' then '^\\|' else '^( [a-z]{2})?\\|' end
          group by mark, split_part(place, '|', 1), case mark when '=d:' then split_part(place, '|', 2) end
          having sum(entries) > 0)
        (select label, listings from places where mark = '=c:' order by 2 desc, 1 limit 1)
        union all (select label, listings from places where mark = '=z:' order by 2 desc, 1 limit 1)
        union all (select label, listings from places where mark = '=d:' and not exists (select from places where mark = '=c:')
          order by 2 desc, 1 limit 1)
        union all select asked.state, listings from report_market where kind = 'state' and term = asked.code
          and not exists (select from places where mark = '=c:' and label like '%, ' || upper(asked.code))) found
    where length(asked.text) > 1
    group by found.label order by 3 desc, 2 limit ${LISTED}`.execute(ctx.db.q());
  return rows;
}
