import { sql } from 'kysely';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { isInArea } from './drawn-area.ts';
import type { Filter, Term } from './terms.ts';

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

/** The share (0–1, never 0) of listings that pass a filter, all its parts combined. */
export function filterSelectivity({ sample }: SearchStatistics, filter: Partial<Filter>): number {
  const passes = filterPredicate(sample, filter);
  const count = sample.type.length;
  let inside = 0;
  for (let index = 0; index < count; index++) if (passes(index)) inside++;
  return Math.max(inside, 0.5) / Math.max(count, 1);
}

/** Sample indexes of the first listings (at most `most`) that pass a filter. */
export function matchingSampleIndexes(
  { sample }: SearchStatistics,
  filter: Partial<Filter>,
  most: number,
): number[] {
  const passes = filterPredicate(sample, filter);
  const inside: number[] = [];
  for (let index = 0; index < sample.type.length && inside.length < most; index++) {
    if (passes(index)) inside.push(index);
  }
  return inside;
}

function filterPredicate(
  sample: SearchStatistics['sample'],
  filter: Partial<Filter>,
): (index: number) => boolean {
  const { typeLow = 0, typeHigh = Infinity, priceLow = 0, priceHigh = Infinity } = filter;
  const { beds = -1, baths = -1, bbox = null, area = null } = filter;
  const more = furtherPredicate(sample, filter);
  return (index) => {
    const type = valueAt(sample.type, index);
    if (type < typeLow || type > typeHigh) return false;
    const price = valueAt(sample.price, index);
    if (price < priceLow || price > priceHigh) return false;
    if (valueAt(sample.beds, index) < beds || valueAt(sample.baths, index) < baths) return false;
    if (more && !more(index)) return false;
    if (!bbox) return true;
    const latitude = valueAt(sample.latitude, index);
    const longitude = valueAt(sample.longitude, index);
    if (latitude < bbox.south || latitude > bbox.north) return false;
    if (longitude < bbox.west || longitude > bbox.east) return false;
    return area === null || isInArea(area, { latitude, longitude });
  };
}

/** The filters that few searches have; null when this one has none of them. */
function furtherPredicate(
  sample: SearchStatistics['sample'],
  { sizeLow = -1, sizeHigh, lotLow = -1, lotHigh, yearLow = -1, yearHigh, amenities = 0 }: Partial<Filter>,
): ((index: number) => boolean) | null {
  if (sizeLow < 0 && lotLow < 0 && yearLow < 0 && amenities === 0) return null;
  const within =
    (column: Float64Array, low: number, high = Infinity) =>
    (index: number) => {
      const value = valueAt(column, index);
      return value >= low && value <= high;
    };
  const checks = [
    within(sample.size, sizeLow, sizeHigh),
    within(sample.lot, lotLow, lotHigh),
    within(sample.year, yearLow, yearHigh),
  ];
  return (index) =>
    checks.every((check) => check(index)) && (valueAt(sample.amenities, index) & amenities) === amenities;
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
