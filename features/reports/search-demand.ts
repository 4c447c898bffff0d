import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { priceBands } from './bands.ts';
import type { ReportRange, SearchReport } from './model.ts';
import { addDays } from './zone-days.ts';

type Demand = Pick<SearchReport, 'topSearches' | 'withoutResults' | 'demand'>;

const LISTED = 10;

/** What was searched for on the UTC days of a range, and how many listings there are of it now. */
export async function searchDemand(ctx: Ctx, { from, to }: ReportRange): Promise<Demand> {
  const range = sql`created_at >= ${from}::date::timestamp at time zone 'UTC'
    and created_at < ${addDays(to, 1)}::date::timestamp at time zone 'UTC'`;
  const q = ctx.db.q();
  const { rows: words } = await sql<{
    words: string;
    searches: number;
    empty: number;
    results: number | null;
  }>`
    select lower(query) as words, count(*) as searches, count(*) filter (where results = 0) as empty,
      (array_agg(results order by id desc))[1] as results
    from search_events where query <> '' and ${range} group by 1 order by 2 desc, 1`.execute(q);
  const { rows: types } = await sql<{ label: string; searches: number; listings: number }>`
    select t.name as label, count(*) as searches,
      (select count(*) from properties p where p.is_public and p.type_id = t.id) as listings
    from search_events e join property_types t on t.id = (e.filters ->> 'typeId')::integer
    where ${range} group by t.id order by 2 desc, 1 limit ${LISTED}`.execute(q);
  const { rows: prices } = await sql<{ band: number; searches: number; listings: number }>`
    select band, count(*) as searches, (select count(*) from properties p
      where p.is_public and least(20, p.price_cents / 10000000) = band) as listings
    from search_events e, generate_series(least(20, coalesce((e.filters ->> 'minCents')::bigint, 0) / 10000000),
      least(20, greatest(coalesce((e.filters ->> 'maxCents')::bigint, 1000000000000) - 1, 0) / 10000000)) band
    where (e.filters ? 'minCents' or e.filters ? 'maxCents') and ${range} group by band order by 1`.execute(
    q,
  );
  return {
    topSearches: words
      .slice(0, LISTED)
      .map(({ words: text, searches, results }) => ({ words: text, searches, results })),
    withoutResults: words
      .filter(({ empty }) => empty > 0)
      .toSorted((a, b) => b.empty - a.empty)
      .slice(0, LISTED)
      .map(({ words: text, empty }) => ({ words: text, searches: empty })),
    demand: [
      ...types.map((row) => ({ kind: 'type' as const, ...row })),
      ...prices.map(({ band, ...row }) => ({
        kind: 'price' as const,
        label: priceBands[band]?.label ?? '',
        ...row,
      })),
    ],
  };
}
