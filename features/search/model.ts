/** What a visitor may ask of the public list (B-005); read from the URL, so nothing in it is trusted. */
export interface SearchCriteria {
  /** as typed, trimmed, at most 200 characters; '' for everything */
  text: string;
  typeId: number | null;
  /** bounds of the base price in cents, inclusive */
  minCents: number | null;
  maxCents: number | null;
  minBeds: number | null;
  minBaths: number | null;
  sort: SearchSort;
  /** from 1 */
  page: number;
  bbox: Rectangle | null;
}

/** Degrees; west ≤ east. */
export interface Rectangle {
  south: number;
  west: number;
  north: number;
  east: number;
}

export type SearchSort = 'newest' | 'price-up' | 'price-down' | 'largest';

/** How typed words are compared with those of a listing: at their beginning, or anywhere inside. */
export type Reading = 'beginnings' | 'parts';

/** What a search means when it is kept: the words as they were understood, without what was misspelt. */
export interface Meaning {
  words: string[];
  reading: Reading;
  /** the word that fewest listings have; null without words */
  rarest: string | null;
}

export const PAGE_SIZE = 24;
/** Totals are exact up to here, beyond they read '1,000+'. */
export const EXACT_TOTAL = 1_000;
export const MOST_MARKERS = 300;
export const MOST_SUGGESTIONS = 8;
export const MOST_TEXT = 200;

export const sortLabels: Record<SearchSort, string> = {
  newest: 'Newest first',
  'price-up': 'Price: low to high',
  'price-down': 'Price: high to low',
  largest: 'Largest',
};
export const sorts = Object.keys(sortLabels) as SearchSort[];

export interface SearchableType {
  id: number;
  name: string;
  slug: string;
  oldSlugs: readonly string[];
}

/**
 * The criteria of a list's address. Junk is ignored: an unknown type means all types (B-005), a malformed number or
 * rectangle means none, an unknown sort means newest. `min` and `max` are whole dollars of what the buyer pays.
 * @param baseCents turns a bound on the buyer's price (cents) into one on the base price
 */
export function parseCriteria(
  params: URLSearchParams,
  types: readonly SearchableType[],
  baseCents: { atLeast(total: number): number; atMost(total: number): number } = same,
): SearchCriteria {
  const min = wholeNumber(params.get('min'), 1_000_000_000);
  const max = wholeNumber(params.get('max'), 1_000_000_000);
  const sort = params.get('sort')?.toLowerCase();
  return {
    text: (params.get('q') ?? '')
      .slice(0, MOST_TEXT)
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
    typeId: findType(params.get('type') ?? '', types)?.id ?? null,
    minCents: min === null ? null : baseCents.atLeast(min * 100),
    maxCents: max === null ? null : baseCents.atMost(max * 100),
    minBeds: wholeNumber(params.get('beds'), 99),
    minBaths: wholeNumber(params.get('baths'), 99),
    sort: sorts.find((known) => known === sort) ?? 'newest',
    page: Math.max(1, wholeNumber(params.get('page'), 1_000_000) ?? 1),
    bbox: parseRectangle(params.get('bbox')),
  };
}

const same = { atLeast: (total: number) => total, atMost: (total: number) => total };

/** A type by its name, its slug or one it had before, in any case (B-109); the name wins over an old slug. */
export function findType<T extends SearchableType>(value: string, types: readonly T[]): T | undefined {
  const wanted = value.trim().toLowerCase();
  if (!wanted) return undefined;
  return (
    types.find((type) => type.name.toLowerCase() === wanted || type.slug.toLowerCase() === wanted) ??
    types.find((type) => type.oldSlugs.some((slug) => slug.toLowerCase() === wanted))
  );
}

/** 'south,west,north,east' in degrees; null when it is no rectangle on the map. */
export function parseRectangle(value: string | null): Rectangle | null {
  const parts = value?.split(',') ?? [];
  if (parts.length !== 4 || parts.some((part) => !/^-?\d{1,3}(\.\d{1,17})?$/.test(part.trim()))) return null;
  const [south = 0, west = 0, north = 0, east = 0] = parts.map(Number);
  const clamp = (degrees: number, limit: number) => Math.max(-limit, Math.min(limit, degrees));
  const rectangle = {
    south: clamp(south, 90),
    west: clamp(west, 180),
    north: clamp(north, 90),
    east: clamp(east, 180),
  };
  return rectangle.south < rectangle.north && rectangle.west < rectangle.east ? rectangle : null;
}

/** The value of `bbox` in the address, with six decimals (about 10 cm). */
export const formatRectangle = ({ south, west, north, east }: Rectangle): string =>
  [south, west, north, east].map((degrees) => String(Number(degrees.toFixed(6)))).join(',');

/** '37', '1,000' or '1,000+'. */
export const formatTotal = ({ total, capped }: { total: number; capped: boolean }): string =>
  `${total.toLocaleString('en-US')}${capped ? '+' : ''}`;

function wholeNumber(value: string | null, most: number): number | null {
  const text = value?.trim() ?? '';
  if (!/^\d{1,12}$/.test(text)) return null;
  const number = Number(text);
  return number <= most ? number : null;
}

/** Something to search for or go to. */
export type Suggestion =
  | { kind: 'address'; label: string; propertyId: string }
  | { kind: 'city' | 'zip'; label: string; text: string }
  | { kind: 'type'; label: string; slug: string };

/** One listing, or how many there are around a point. */
export interface MapMarker {
  latitude: number;
  longitude: number;
  count: number;
  /** true when `count` is projected from a fair share of the listings, which is quicker in a large market */
  approximate: boolean;
  /** set when it is one listing; its base price */
  listing: { id: string; address: string; priceCents: number } | null;
}
