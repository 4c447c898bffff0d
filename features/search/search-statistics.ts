import { sql } from 'kysely';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { isInArea } from './drawn-area.ts';
import { type Filter, filterTerms, noFilter, type Term } from './terms.ts';

const SAMPLE_SIZE = 8_000;
const TTL_MS = 10 * MINUTE;
type Column =
  | 'type'
  | 'price'
  | 'beds'
  | 'baths'
  | 'latitude'
  | 'longitude'
  | 'size'
  | 'lot'
  | 'year'
  | 'amenities'
  | 'created';

/** Statistics for choosing the fastest plan. Stale ones cost time but never a hit. */
export interface SearchStatistics {
  /** approximate number of public listings */
  size: number;
  /** columns of the sample, aligned by index; `created` in seconds since 1970 */
  sample: Record<Column, Float64Array>;
}

/** One figure of the sample; `index` must be inside it. */
export const valueAt = (column: Float64Array, index: number): number => column[index] ?? Number.NaN;

/** A random sample of the public listings (ids are random), cached for ten minutes. */
export function loadSearchStatistics(ctx: Ctx): Promise<SearchStatistics> {
  return cached(ctx.db, 'search_entries', 'market', () => sampleListings(ctx), { freshMs: TTL_MS });
}

async function sampleListings(ctx: Ctx): Promise<SearchStatistics> {
  const replica = ctx.db.replica();
  const rows = await replica
    .selectFrom('search_entries')
    .select([
      'type_id as type',
      'price_cents as price',
      'bedrooms as beds',
      'bathrooms as baths',
      'latitude',
      'longitude',
      'square_feet as size',
      'lot_square_feet as lot',
      'year_built as year',
      'amenities',
    ])
    .select(sql<number>`date_part('epoch', created_at)`.as('created'))
    .orderBy('property_id')
    .limit(SAMPLE_SIZE)
    .execute();
  const column = (name: Column) => Float64Array.from(rows, (row) => row[name]);
  return {
    size: rows.length < SAMPLE_SIZE ? rows.length : await countEntries(ctx),
    sample: {
      type: column('type'),
      price: column('price'),
      beds: column('beds'),
      baths: column('baths'),
      latitude: column('latitude'),
      longitude: column('longitude'),
      size: column('size'),
      lot: column('lot'),
      year: column('year'),
      amenities: column('amenities'),
      created: column('created'),
    },
  };
}

async function countEntries(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ size: number }>`select reltuples::float8 as size from pg_class
    where oid = 'search_entries'::regclass and reltuples >= ${SAMPLE_SIZE}`.execute(ctx.db.replica());
  if (rows[0]) return rows[0].size;
  const counted = await ctx.db
    .replica()
    .selectFrom('search_entries')
    .select((count) => count.fn.countAll<number>().as('size'))
    .executeTakeFirstOrThrow();
  return counted.size;
}

/** What of the listings passes a filter, and what passes each of the index terms that stand for a part of it. */
interface FilterEstimate {
  /** share (0–1, never 0) of the listings */
  share: number;
  terms: readonly { lexemes: string[]; share: number }[];
}

const estimates = new WeakMap<SearchStatistics, WeakMap<Filter, FilterEstimate>>();

/** Estimates a filter from the sample; once for each filter object, since a plan asks for it many times. */
export function estimateFilter(statistics: SearchStatistics, filter: Filter): FilterEstimate {
  const known = estimates.get(statistics) ?? new WeakMap<Filter, FilterEstimate>();
  estimates.set(statistics, known);
  const estimate = known.get(filter) ?? {
    share: filterSelectivity(statistics, filter),
    terms: filterTerms(filter).map(({ lexemes, part }) => ({
      lexemes,
      share: filterSelectivity(statistics, part),
    })),
  };
  known.set(filter, estimate);
  return estimate;
}

/** The share (0–1, never 0) of listings that pass a filter, all its parts combined. */
function filterSelectivity({ sample }: SearchStatistics, filter: Partial<Filter>): number {
  const passing = passingIndexes(sample, filter);
  const count = sample.type.length;
  return Math.max(passing?.length ?? count, 0.5) / Math.max(count, 1);
}

/** Sample indexes of the first listings (at most `most`) that pass a filter. */
export function matchingSampleIndexes(
  { sample }: SearchStatistics,
  filter: Partial<Filter>,
  most: number,
): Uint16Array {
  return passingIndexes(sample, filter)?.subarray(0, most) ?? allIndexes(Math.min(most, sample.type.length));
}

function allIndexes(count: number): Uint16Array {
  const indexes = new Uint16Array(count);
  for (let index = 0; index < count; index++) indexes[index] = index;
  return indexes;
}

/** Sample indexes that pass a filter, column by column; null when it has no bound, so that all do. */
function passingIndexes(sample: SearchStatistics['sample'], filter: Partial<Filter>): Uint16Array | null {
  const { amenities = 0, area = null } = filter;
  const bounds = boundsOf(filter);
  if (bounds.length === 0 && amenities === 0) return null;
  let passing = allIndexes(sample.type.length);
  for (const [name, low, high] of bounds) passing = within(passing, sample[name], low, high);
  if (amenities !== 0)
    passing = passing.filter((index) => (valueAt(sample.amenities, index) & amenities) === amenities);
  if (area !== null)
    passing = passing.filter((index) =>
      isInArea(area, {
        latitude: valueAt(sample.latitude, index),
        longitude: valueAt(sample.longitude, index),
      }),
    );
  return passing;
}

/** Those of the indexes whose value is in a range. In place and without a callback, since it runs for every filter of every search. */
function within(indexes: Uint16Array, column: Float64Array, low: number, high: number): Uint16Array {
  let count = 0;
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at] ?? 0;
    const value = valueAt(column, index);
    if (value >= low && value <= high) indexes[count++] = index;
  }
  return indexes.subarray(0, count);
}

/** The columns that a filter bounds. */
function boundsOf(filter: Partial<Filter>): [column: Column, low: number, high: number][] {
  const { bbox } = filter;
  const bounds: [Column, number | undefined, number | undefined, least: number, most: number][] = [
    ['latitude', bbox?.south, bbox?.north, -Infinity, Infinity],
    ['longitude', bbox?.west, bbox?.east, -Infinity, Infinity],
    ['type', filter.typeLow, filter.typeHigh, noFilter.typeLow, noFilter.typeHigh],
    ['price', filter.priceLow, filter.priceHigh, noFilter.priceLow, noFilter.priceHigh],
    ['beds', filter.beds, undefined, noFilter.beds, Infinity],
    ['baths', filter.baths, undefined, noFilter.baths, Infinity],
    ['size', filter.sizeLow, filter.sizeHigh, noFilter.sizeLow, noFilter.sizeHigh],
    ['lot', filter.lotLow, filter.lotHigh, noFilter.lotLow, noFilter.lotHigh],
    ['year', filter.yearLow, filter.yearHigh, noFilter.yearLow, noFilter.yearHigh],
  ];
  return bounds.flatMap(([column, low = -Infinity, high = Infinity, least, most]) =>
    low > least || high < most ? [[column, low, high]] : [],
  );
}

/** Adds to each term's count the listings whose type it also matches; the dictionary counts only words. */
export function withCounts(statistics: SearchStatistics, terms: readonly Term[]): Term[] {
  return terms.map((term) => {
    const types = term.lexemes.flatMap((lexeme) => /^=t(\d+)$/.exec(lexeme)?.[1] ?? []).map(Number);
    const shares = types.map((type) => filterSelectivity(statistics, { typeLow: type, typeHigh: type }));
    const typed = shares.reduce((sum, share) => sum + share * statistics.size, 0);
    return { ...term, entries: term.entries + typed };
  });
}
