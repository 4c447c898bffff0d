import { sql } from 'kysely';
import type { Query } from '#platform/db/database.ts';
import type { Search } from './find.ts';
import { shareOf } from './market.ts';
import { cheapestMatch, type IndexQuery } from './match.ts';
import { type MapMarker, MOST_MARKERS, type Rectangle } from './model.ts';
import { cutAt, expectedHits } from './plan.ts';
import {
  type Filter,
  filterLiteral,
  isClosed,
  isImpossible,
  noFilter,
  queryText,
  type Term,
} from './terms.ts';

/** Sides, in degrees, of the squares whose listings search_cells counts; the position is the level. */
const CELL_DEGREES = [2, 1 / 4, 1 / 32] as const;
/** Up to so many in sight are shown one by one. */
const FEW = 60;
/** Below this side of a square the map is close enough to show up to 300 one by one. */
const CLOSE_DEGREES = 1 / 64;
/** The side of squares that hold nothing but one place. */
const ONE_PLACE = 1e-7;
/** Up to so many hits are counted one by one; of more, a share within the two bounds below. */
const MOST_COUNTED = 10_000;
const MOST_LOOKED_AT = 60_000;
const MOST_READ = 6_000;

interface Square {
  entries: number;
  latitude: number;
  longitude: number;
  id?: string | null;
  address?: string | null;
  price_cents?: number | null;
}

/** The markers of the listings that have all terms and pass the filter; the fullest squares if there are too many. */
export async function markersOf(search: Search, terms: readonly Term[], zoom: number): Promise<MapMarker[]> {
  const { filter, market } = search;
  if (terms.some(isImpossible) || isClosed(filter)) return [];
  const q = search.ctx.db.replica();
  const step = squareSide(filter.bbox, zoom);
  if (terms.length === 0 && isOnlyTypeAndPlace(filter) && step >= CELL_DEGREES[2]) {
    const squares = await cells(q, filter, step);
    if (total(squares) > FEW) return markers(apart(squares, step), 1);
  }
  const match = cheapestMatch(market, filter, terms);
  const matched = async () => (match ? closeUp(q, match, filter, step) : []);
  if (match && expectedHits(market, filter, terms) <= MOST_COUNTED) return matched();
  const read = terms.length ? MOST_READ / (market.size * shareOf(market, filter)) : 1;
  const share = Math.min(1, MOST_LOOKED_AT / Math.max(1, market.size), read);
  const sampled = await sample(q, queryText(terms), filter, step, share);
  return sampled.length > 0 || share >= 1 ? markers(apart(sampled, step), share) : matched();
}

/** A power of two that cuts the rectangle, or a map 1,000 pixels wide, into at most about 18 by 14 squares. */
function squareSide(bbox: Rectangle | null, zoom: number): number {
  const side = bbox
    ? Math.max((bbox.north - bbox.south) / 14, (bbox.east - bbox.west) / 18)
    : 80 / 2 ** Math.max(0, Math.min(18, zoom));
  return 2 ** Math.ceil(Math.log2(Math.max(side, ONE_PLACE)));
}

const isOnlyTypeAndPlace = (filter: Filter): boolean =>
  filterLiteral({ ...filter, typeLow: 0, typeHigh: 0, bbox: null }) ===
  filterLiteral({ ...noFilter, typeLow: 0, typeHigh: 0 });

const total = (squares: readonly Square[]): number =>
  squares.reduce((sum, square) => sum + square.entries, 0);

/** From the counted cells, which a refresh sums up and every change adds to. */
async function cells(q: Query, filter: Filter, step: number): Promise<Square[]> {
  const level = CELL_DEGREES.findIndex((degrees) => degrees <= step);
  const degrees = CELL_DEGREES[level] ?? 2;
  const { south, north, west, east } = filter.bbox ?? { south: -90, north: 90, west: -180, east: 180 };
  const at = (value: number) => Math.floor(value / degrees);
  const { rows } = await sql<Square>`
    select sum(entries)::integer as entries, sum(latitude_sum) / sum(entries) as latitude,
      sum(longitude_sum) / sum(entries) as longitude
    from search_cells where level = ${level}
      and y between ${at(south + 90)} and ${at(north + 90)} and x between ${at(west + 180)} and ${at(east + 180)}
      and type_id between ${filter.typeLow} and ${filter.typeHigh}
    group by floor(y * ${degrees / step}::float8), floor(x * ${degrees / step}::float8)
    having sum(entries) > 0 order by 1 desc limit ${MOST_MARKERS}`.execute(q);
  return rows;
}

/** Every hit counted; single listings when they are few or the map is close. */
async function closeUp(q: Query, query: IndexQuery, filter: Filter, step: number): Promise<MapMarker[]> {
  const squares = await counted(q, query, filter, step);
  const sum = total(squares);
  const oneByOne = sum <= FEW || (step <= CLOSE_DEGREES && sum <= MOST_MARKERS);
  return markers(oneByOne ? await counted(q, query, filter, ONE_PLACE) : apart(squares, step), 1);
}

async function counted(
  q: Query,
  { query, also, rest }: IndexQuery,
  filter: Filter,
  step: number,
): Promise<Square[]> {
  const { rows } = await sql<Square>`
    select found.*, p.address, p.price_cents
    from (select * from search_squares(${query}::tsquery, ${also}::tsquery, ${rest}::tsquery,
      ${filterLiteral(filter)}::search_filter, ${step})
      order by entries desc limit ${MOST_MARKERS}) found
    left join properties p on found.entries = 1 and p.id = found.id`.execute(q);
  return rows;
}

async function sample(
  q: Query,
  query: string | null,
  filter: Filter,
  step: number,
  share: number,
): Promise<Square[]> {
  const { rows } = await sql<Square>`
    select * from search_squares_sample(${query}::tsquery, ${filterLiteral(filter)}::search_filter, ${step},
      ${cutAt(share)}::uuid) order by entries desc limit ${MOST_MARKERS}`.execute(q);
  return rows;
}

/** Squares whose listings lie on both sides of their border, and would cover each other on the map, become one. */
function apart(squares: readonly Square[], step: number): Square[] {
  const kept: Square[] = [];
  for (const square of squares) {
    const near = (one: Square) =>
      Math.abs(one.latitude - square.latitude) < step / 2 &&
      Math.abs(one.longitude - square.longitude) < step / 2;
    const at = kept.findIndex(near);
    const beside = kept[at];
    if (!beside) kept.push(square);
    else kept[at] = joined(beside, square);
  }
  return kept;
}

function joined(a: Square, b: Square): Square {
  const entries = a.entries + b.entries;
  const middle = (side: 'latitude' | 'longitude') => (a[side] * a.entries + b[side] * b.entries) / entries;
  return { entries, latitude: middle('latitude'), longitude: middle('longitude') };
}

function markers(squares: readonly Square[], share: number): MapMarker[] {
  return squares.map(({ entries, latitude, longitude, id, address, price_cents }) => ({
    latitude,
    longitude,
    count: Math.round(entries / share),
    approximate: share < 1,
    listing: id && address && price_cents ? { id, address, priceCents: price_cents } : null,
  }));
}
