import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { Search } from './execute-search.ts';
import { cheapestIndexQuery, type IndexQuery } from './index-query.ts';
import { MAX_MARKERS, type MapMarker, type Rectangle } from './model.ts';
import { expectedHits, idAtShare } from './plan.ts';
import { estimateFilter } from './search-statistics.ts';
import {
  type Filter,
  filterLiteral,
  isImpossible,
  isUnsatisfiable,
  noFilter,
  queryText,
  type Term,
} from './terms.ts';

/** Cell sizes of search_cells in degrees, indexed by level. */
const CELL_DEGREES = [2, 1 / 4, 1 / 32] as const;
/** At most this many visible listings are shown individually. */
const MAX_INDIVIDUAL = 60;
/** Below this square size the map is zoomed in enough to show up to 300 listings individually. */
const ZOOMED_IN_DEGREES = 1 / 64;
/** No map is zoomed in further. */
const SMALLEST_SIDE_DEGREES = 1e-7;
const EVERYWHERE: Rectangle = { south: -90, north: 90, west: -180, east: 180 };
/** Up to this many hits are counted exactly; above, a sample limited by the next two constants. */
const MAX_COUNTED_HITS = 10_000;
const MAX_SAMPLED_LISTINGS = 60_000;
const MAX_READ_LISTINGS = 6_000;

interface Square {
  entries: number;
  latitude: number;
  longitude: number;
  id?: string | null;
  address?: string | null;
  price_cents?: number | null;
}

/** Markers of the listings that match all terms and the filter; the fullest squares if there are too many. */
export async function findMarkers(
  search: Search,
  terms: readonly Term[],
  zoom: number,
): Promise<MapMarker[]> {
  const { ctx, filter, statistics } = search;
  if (terms.some(isImpossible) || isUnsatisfiable(filter)) return [];
  const step = squareSide(filter.bbox, zoom);
  if (terms.length === 0 && isOnlyTypeAndPlace(filter) && step >= CELL_DEGREES[2]) {
    const squares = await squaresFromCells(ctx, filter, step);
    if (totalEntries(squares) > MAX_INDIVIDUAL) return toMarkers(mergeOverlapping(squares, step), 1);
  }
  const match = cheapestIndexQuery(statistics, filter, terms);
  const matched = async () => (match ? exactMarkers(ctx, match, filter, step) : []);
  if (match && expectedHits(statistics, filter, terms) <= MAX_COUNTED_HITS) return matched();
  const read = terms.length
    ? MAX_READ_LISTINGS / (statistics.size * estimateFilter(statistics, filter).share)
    : 1;
  const share = Math.min(1, MAX_SAMPLED_LISTINGS / Math.max(1, statistics.size), read);
  const sampled = await squaresFromSample(ctx, queryText(terms), filter, step, share);
  return sampled.length > 0 || share >= 1 ? toMarkers(mergeOverlapping(sampled, step), share) : matched();
}

/** A power of two that divides the rectangle, or a map 1,000 pixels wide, into at most about 18 by 14 squares. */
function squareSide(bbox: Rectangle | null, zoom: number): number {
  const side = bbox
    ? Math.max((bbox.north - bbox.south) / 14, (bbox.east - bbox.west) / 18)
    : 80 / 2 ** Math.max(0, Math.min(18, zoom));
  return 2 ** Math.ceil(Math.log2(Math.max(side, SMALLEST_SIDE_DEGREES)));
}

const isOnlyTypeAndPlace = (filter: Filter): boolean =>
  filterLiteral({ ...filter, typeLow: 0, typeHigh: 0, bbox: null }) ===
  filterLiteral({ ...noFilter, typeLow: 0, typeHigh: 0 });

const totalEntries = (squares: readonly Square[]): number =>
  squares.reduce((sum, square) => sum + square.entries, 0);

/** Squares from the aggregated cells, which a refresh consolidates and every change updates. */
async function squaresFromCells(ctx: Ctx, filter: Filter, step: number): Promise<Square[]> {
  const level = CELL_DEGREES.findIndex((degrees) => degrees <= step);
  const degrees = CELL_DEGREES[level] ?? 2;
  const { south, north, west, east } = filter.bbox ?? EVERYWHERE;
  const at = (value: number) => Math.floor(value / degrees);
  const { rows } = await sql<Square>`
    select sum(entries)::integer as entries, sum(latitude_sum) / sum(entries) as latitude,
      sum(longitude_sum) / sum(entries) as longitude
    from search_cells where level = ${level}
      and y between ${at(south + 90)} and ${at(north + 90)} and x between ${at(west + 180)} and ${at(east + 180)}
      and type_id between ${filter.typeLow} and ${filter.typeHigh}
    group by floor(y * ${degrees / step}::float8), floor(x * ${degrees / step}::float8)
    having sum(entries) > 0 order by 1 desc limit ${MAX_MARKERS}`.execute(ctx.db.replica());
  return rows;
}

/** Exact counts; individual listings when they are few or the map is zoomed in. */
async function exactMarkers(ctx: Ctx, query: IndexQuery, filter: Filter, step: number): Promise<MapMarker[]> {
  const squares = await squaresFromIndex(ctx, query, filter, step);
  const sum = totalEntries(squares);
  const oneByOne = sum <= MAX_INDIVIDUAL || (step <= ZOOMED_IN_DEGREES && sum <= MAX_MARKERS);
  return toMarkers(
    oneByOne ? await individualListings(ctx, query, filter) : mergeOverlapping(squares, step),
    1,
  );
}

/** Every located listing for itself, newest first; squares, however small, would hide those that share a point. */
async function individualListings(
  ctx: Ctx,
  { query, also, rest }: IndexQuery,
  filter: Filter,
): Promise<Square[]> {
  const located = filterLiteral({ ...filter, bbox: filter.bbox ?? EVERYWHERE });
  const { rows } = await sql<Square>`
    select 1 as entries, p.latitude, p.longitude, p.id, p.address, p.price_cents
    from search_match(${query}::tsquery, ${also}::tsquery, ${rest}::tsquery, ${located}::search_filter, null, 'newest', 0,
      ${MAX_MARKERS + 1}) with ordinality hit
    join properties p on p.id = hit.id
    where p.latitude is not null and p.longitude is not null
    order by hit.ordinality`.execute(ctx.db.replica());
  return rows;
}

async function squaresFromIndex(
  ctx: Ctx,
  { query, also, rest }: IndexQuery,
  filter: Filter,
  step: number,
): Promise<Square[]> {
  const { rows } = await sql<Square>`
    select found.*, p.address, p.price_cents
    from (select * from search_squares(${query}::tsquery, ${also}::tsquery, ${rest}::tsquery,
      ${filterLiteral(filter)}::search_filter, ${step})
      order by entries desc limit ${MAX_MARKERS}) found
    left join properties p on found.entries = 1 and p.id = found.id`.execute(ctx.db.replica());
  return rows;
}

async function squaresFromSample(
  ctx: Ctx,
  query: string | null,
  filter: Filter,
  step: number,
  share: number,
): Promise<Square[]> {
  const { rows } = await sql<Square>`
    select * from search_squares_sample(${query}::tsquery, ${filterLiteral(filter)}::search_filter, ${step},
      ${idAtShare(share)}::uuid) order by entries desc limit ${MAX_MARKERS}`.execute(ctx.db.replica());
  return rows;
}

/** Merges adjacent squares whose markers would overlap on the map. */
function mergeOverlapping(squares: readonly Square[], step: number): Square[] {
  const mergedSquares: Square[] = [];
  for (const square of squares) {
    const near = (one: Square) =>
      Math.abs(one.latitude - square.latitude) < step / 2 &&
      Math.abs(one.longitude - square.longitude) < step / 2;
    const at = mergedSquares.findIndex(near);
    const beside = mergedSquares[at];
    if (!beside) mergedSquares.push(square);
    else mergedSquares[at] = mergeSquares(beside, square);
  }
  return mergedSquares;
}

function mergeSquares(a: Square, b: Square): Square {
  const entries = a.entries + b.entries;
  const middle = (side: 'latitude' | 'longitude') => (a[side] * a.entries + b[side] * b.entries) / entries;
  return { entries, latitude: middle('latitude'), longitude: middle('longitude') };
}

function toMarkers(squares: readonly Square[], share: number): MapMarker[] {
  return squares.map(({ entries, latitude, longitude, id, address, price_cents }) => ({
    latitude,
    longitude,
    count: Math.round(entries / share),
    approximate: share < 1,
    listing: id && address && price_cents ? { id, address, priceCents: price_cents } : null,
  }));
}
