import { type Market, placesInside } from './market.ts';
import type { SearchSort } from './model.ts';
import { type Filter, priceClasses, sizeClasses } from './terms.ts';

/** Listings of the sample that are put in order to see where a part of the hits ends. */
const LOOKED_AT = 1_500;
/** With a larger part than this, reading all hits is as fast. */
const LARGEST_PART = 0.5;
const CLASS_SECONDS = 32 * 86_400;
/** Classes beyond the present one, for clocks that differ. */
const AHEAD = 2;
const MOST_CLASSES = 48;

/** The front part of a sorted list. */
export interface Nearest {
  /** the part holds every hit whose sort key (smallest first) is at most this */
  bound: number;
  /** every listing of the part has one of them */
  lexemes: string[];
  /** share (0–1) of the filtered listings that have one of them */
  share: number;
}

/**
 * The front part of a sorted list that probably holds at least `wanted` of about `hits` hits. The words are taken not to
 * depend on what the list is sorted by: where they do, too few hits are found in it, and all are read.
 * @returns null when there is little to gain
 */
export function nearestPart(
  market: Market,
  filter: Filter,
  sort: SearchSort,
  { wanted, hits, now }: { wanted: number; hits: number; now: Date },
): Nearest | null {
  if (wanted > LARGEST_PART * hits) return null;
  const places = placesInside(market, filter, LOOKED_AT);
  const keys = Float64Array.from(places, (place) => keyOf(market, sort, place)).sort();
  const expected = (wanted / hits) * keys.length;
  // Three deviations more than expected, so that chance seldom leaves too few.
  const last = Math.ceil(expected + 3 * Math.sqrt(expected) + 2);
  const bound = keys[last];
  if (bound === undefined || last > LARGEST_PART * keys.length) return null;
  const lexemes = lexemesUpTo(sort, bound, now.getTime() / 1_000);
  if (!lexemes || lexemes.length > MOST_CLASSES) return null;
  const covered = sort === 'newest' ? bound + CLASS_SECONDS : bound;
  const reached = keys.findLastIndex((key) => key <= covered) + 1;
  return { bound, lexemes, share: reached / keys.length };
}

function keyOf({ sample }: Market, sort: SearchSort, place: number): number {
  switch (sort) {
    case 'newest':
      return -(sample.created[place] as number);
    case 'largest':
      return -(sample.size[place] as number);
    case 'price-down':
      return -(sample.price[place] as number);
    case 'price-up':
      return sample.price[place] as number;
  }
}

function lexemesUpTo(sort: SearchSort, bound: number, now: number): string[] | null {
  switch (sort) {
    case 'newest': {
      const first = Math.floor(-bound / CLASS_SECONDS);
      const count = Math.floor(now / CLASS_SECONDS) + AHEAD - first;
      return Array.from({ length: Math.max(0, count) }, (_, later) => `=n${first + later}`);
    }
    case 'largest':
      return sizeClasses(-bound);
    case 'price-down':
      return priceClasses(-bound, Infinity);
    case 'price-up':
      return priceClasses(0, bound);
  }
}
