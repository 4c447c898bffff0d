import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { kept } from '#platform/kept.ts';
import type { Filter, Term } from './terms.ts';

const SAMPLE_SIZE = 8_000;
const FRESH_MS = 10 * 60_000;
type Column = 'type' | 'price' | 'beds' | 'baths' | 'latitude' | 'longitude' | 'size' | 'created';

/** What a process knows of the market to choose the fastest way; out of date it costs time, never a hit. */
export interface Market {
  /** public listings, roughly */
  size: number;
  /** the same listing stands at the same position of each column; `created` in seconds since 1970 */
  sample: Record<Column, Float64Array>;
}

/** A fair sample of the public listings (ids are random), kept for ten minutes. */
export function marketOf(ctx: Ctx): Promise<Market> {
  return kept(ctx.db, 'search_entries', 'market', () => load(ctx), FRESH_MS);
}

async function load(ctx: Ctx): Promise<Market> {
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

/** The share (0–1, never quite 0) of the market that a filter lets through, all its parts taken together. */
export function shareOf({ sample }: Market, filter: Partial<Filter>): number {
  const passes = passing(sample, filter);
  const count = sample.type.length;
  let inside = 0;
  for (let place = 0; place < count; place++) if (passes(place)) inside++;
  return Math.max(inside, 0.5) / Math.max(count, 1);
}

/** Where in the sample the first listings (at most `most`) stand that a filter lets through. */
export function placesInside({ sample }: Market, filter: Partial<Filter>, most: number): number[] {
  const passes = passing(sample, filter);
  const inside: number[] = [];
  for (let place = 0; place < sample.type.length && inside.length < most; place++) {
    if (passes(place)) inside.push(place);
  }
  return inside;
}

function passing(sample: Market['sample'], filter: Partial<Filter>): (place: number) => boolean {
  const { typeLow = 0, typeHigh = Infinity, priceLow = 0, priceHigh = Infinity } = filter;
  const { beds = -1, baths = -1, bbox = null } = filter;
  return (place) => {
    const type = sample.type[place] as number;
    if (type < typeLow || type > typeHigh) return false;
    const price = sample.price[place] as number;
    if (price < priceLow || price > priceHigh) return false;
    if ((sample.beds[place] as number) < beds || (sample.baths[place] as number) < baths) return false;
    if (!bbox) return true;
    const latitude = sample.latitude[place] as number;
    const longitude = sample.longitude[place] as number;
    if (latitude < bbox.south || latitude > bbox.north) return false;
    return longitude >= bbox.west && longitude <= bbox.east;
  };
}

/** The terms with those listings counted whose type they also stand for; the dictionary knows only words. */
export function weighed(market: Market, terms: readonly Term[]): Term[] {
  return terms.map((term) => {
    const types = term.lexemes.flatMap((lexeme) => /^=t(\d+)$/.exec(lexeme)?.[1] ?? []).map(Number);
    const shares = types.map((type) => shareOf(market, { typeLow: type, typeHigh: type }));
    const typed = shares.reduce((sum, share) => sum + share * market.size, 0);
    return { ...term, entries: term.entries + typed };
  });
}
