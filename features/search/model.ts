import { formatCount } from '#platform/format-count.ts';
import { keysOf } from '#platform/typed-keys.ts';
import type { AmenityKey } from './amenities.ts';
import type { DrawnArea, Rectangle } from './drawn-area.ts';

export { type AmenityKey, amenitiesOfBits, amenityBits, amenityKeys, amenityLabels } from './amenities.ts';
export {
  areaLiteral,
  areaOfLiteral,
  boundsOf,
  boundsOfArea,
  formatArea,
  type Rectangle,
  readArea,
} from './drawn-area.ts';

/** Criteria of the public list; parsed from the URL, so nothing in it is trusted. */
export interface SearchCriteria {
  /** as typed, trimmed, at most 200 characters; '' for none */
  text: string;
  typeId: number | null;
  /** bounds of the base price in cents, inclusive */
  minCents: number | null;
  maxCents: number | null;
  minBeds: number | null;
  minBaths: number | null;
  /** bounds of the living area and of the lot in square feet, and of the year built, all inclusive; what is unknown is outside of any bound */
  minSqft: number | null;
  maxSqft: number | null;
  minLotSqft: number | null;
  maxLotSqft: number | null;
  minYear: number | null;
  maxYear: number | null;
  /** the property has all of them */
  amenities: readonly AmenityKey[];
  /** words that the listing must have beside those of the text, as typed; never read as a place or a filter; '' for none */
  keywords: string;
  sort: SearchSort;
  /** from 1 */
  page: number;
  /** the listing at which the page before ended: what follows it is found without counting there, however deep */
  after: Cursor | null;
  bbox: Rectangle | null;
  /** drawn on the map; with a rectangle, a listing is in both */
  area: DrawnArea | null;
}

/** A listing's place in a sorted list. */
export interface Cursor {
  /** what the list is sorted by, smallest first: seconds since 1970, square feet and the highest price first as negative numbers */
  key: number;
  id: string;
}

/** Criteria that every listing meets. */
export const anything: SearchCriteria = {
  text: '',
  typeId: null,
  minCents: null,
  maxCents: null,
  minBeds: null,
  minBaths: null,
  minSqft: null,
  maxSqft: null,
  minLotSqft: null,
  maxLotSqft: null,
  minYear: null,
  maxYear: null,
  amenities: [],
  keywords: '',
  sort: 'newest',
  page: 1,
  after: null,
  bbox: null,
  area: null,
};

/** Parses the `after` parameter; null if invalid. */
export function parseCursor(value: string | null): Cursor | null {
  const [, key, id] =
    /^(-?\d{1,16}(?:\.\d{1,9})?)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(value ?? '') ?? [];
  return key !== undefined && id !== undefined ? { key: Number(key), id } : null;
}

/** Formats a cursor for the `after` parameter. */
export const formatCursor = ({ key, id }: Cursor): string => `${key}_${id}`;

export type SearchSort = 'newest' | 'price-up' | 'price-down' | 'largest';

/** Whether typed words match the start of a listing's words, or any part of them. */
export type WordMatchMode = 'beginnings' | 'parts';

/** The interpreted text of a saved search: the places that it names, and its other words after spelling correction. */
export interface SearchMeaning {
  words: string[];
  /** all words of the text, those of places too */
  shown: string[];
  /** a listing has one of the marks of each */
  places: readonly { marks: readonly string[]; key: string }[];
  /** the key of the place to find the search by; null when it is found by its rarest word */
  placeKey: string | null;
  reading: WordMatchMode;
  /** those of the words that are whole numbers of an address: '12' is not 120 */
  whole: readonly string[];
  /** the word with the fewest listings; null without words */
  rarest: string | null;
}

export const PAGE_SIZE = 24;
/** Totals are exact up to this number; above it they read '1,000+'. */
export const EXACT_TOTAL = 1_000;
export const MAX_MARKERS = 300;
export const MAX_SUGGESTIONS = 8;
export const MAX_TEXT_LENGTH = 200;

export const sortLabels: Record<SearchSort, string> = {
  newest: 'Newest first',
  'price-up': 'Price: low to high',
  'price-down': 'Price: high to low',
  largest: 'Largest',
};
export const sorts = keysOf(sortLabels);

export interface SearchableType {
  id: number;
  name: string;
  slug: string;
  oldSlugs: readonly string[];
}

/** Parses 'south,west,north,east' in degrees; null if invalid. */
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

/** Formats a rectangle for the `bbox` parameter, with six decimals (about 10 cm). */
export const formatRectangle = ({ south, west, north, east }: Rectangle): string =>
  [south, west, north, east].map((degrees) => String(Number(degrees.toFixed(6)))).join(',');

/** A range of the URL. */
export type RangeName = 'price' | 'sqft' | 'lot' | 'year';
export const rangeLabels: Record<RangeName, string> = {
  price: 'price',
  sqft: 'square feet',
  lot: 'lot size',
  year: 'year built',
};

/** '37', '1,000' or '1,000+'. */
export const formatTotal = ({ total, capped }: { total: number; capped: boolean }): string =>
  `${formatCount(total)}${capped ? '+' : ''}`;

/** A search suggestion: text to search for, or a page to open. */
export type Suggestion =
  | { kind: 'address'; label: string; propertyId: string }
  | {
      kind: 'city' | 'zip' | 'state' | 'neighborhood';
      label: string;
      text: string;
      /** its listings, as a total of the list */
      count: { total: number; capped: boolean };
    }
  | { kind: 'type'; label: string; slug: string };

/** A city or neighborhood, with how many public listings it has. */
export interface NamedPlace {
  /** 'Springfield, IL' */
  label: string;
  listings: number;
}

/** A map marker: one listing, or the number of listings around a point. */
export interface MapMarker {
  latitude: number;
  longitude: number;
  count: number;
  /** true when `count` is estimated from a sample, which is faster in a large market */
  approximate: boolean;
  /** the listing, with its base price, if it is a single one */
  listing: { id: string; address: string; priceCents: number } | null;
}
