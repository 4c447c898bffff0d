import type { SearchSort } from './model.ts';
import { matchingSampleIndexes, type SearchStatistics, valueAt } from './search-statistics.ts';
import { type Filter, priceClasses, sizeClasses } from './terms.ts';

/** Sampled listings that are sorted to estimate where the part ends. */
const MAX_SORTED_LISTINGS = 1_500;
/** Above this share, reading all hits is as fast. */
const MAX_SHARE = 0.5;
const CLASS_SECONDS = 32 * 86_400;
/** Classes beyond the current one, to allow for clock skew. */
const CLASSES_AHEAD = 2;
const MAX_CLASSES = 48;

/** The first part of a sorted list. */
export interface Nearest {
  /** the part contains every hit whose sort key (smallest first) is at most this */
  bound: number;
  /** every listing of the part has at least one of these */
  lexemes: string[];
  /** share (0–1) of the filtered listings that have at least one of them */
  share: number;
}

/**
 * The first part of a sorted list that probably contains at least `wanted` of about `hits` hits. Assumes that the
 * words are independent of the sort key; where they are not, too few hits are found in it and all are read instead.
 * @returns null when there is little to gain
 */
export function nearestPart(
  statistics: SearchStatistics,
  filter: Filter,
  sort: SearchSort,
  { wanted, hits, now }: { wanted: number; hits: number; now: Date },
): Nearest | null {
  if (wanted > MAX_SHARE * hits) return null;
  const indexes = matchingSampleIndexes(statistics, filter, MAX_SORTED_LISTINGS);
  const keys = Float64Array.from(indexes, (index) => keyOf(statistics, sort, index)).sort();
  const expected = (wanted / hits) * keys.length;
  // Three standard deviations above the expectation, so that there are rarely too few.
  const last = Math.ceil(expected + 3 * Math.sqrt(expected) + 2);
  const bound = keys[last];
  if (bound === undefined || last > MAX_SHARE * keys.length) return null;
  const lexemes = lexemesUpTo(sort, bound, now.getTime() / 1_000);
  if (!lexemes || lexemes.length > MAX_CLASSES) return null;
  const covered = sort === 'newest' ? bound + CLASS_SECONDS : bound;
  const reached = keys.findLastIndex((key) => key <= covered) + 1;
  return { bound, lexemes, share: reached / keys.length };
}

function keyOf({ sample }: SearchStatistics, sort: SearchSort, index: number): number {
  switch (sort) {
    case 'newest':
      return -valueAt(sample.created, index);
    case 'largest':
      return -valueAt(sample.size, index);
    case 'price-down':
      return -valueAt(sample.price, index);
    case 'price-up':
      return valueAt(sample.price, index);
  }
}

function lexemesUpTo(sort: SearchSort, bound: number, now: number): string[] | null {
  switch (sort) {
    case 'newest': {
      const first = Math.floor(-bound / CLASS_SECONDS);
      const count = Math.floor(now / CLASS_SECONDS) + CLASSES_AHEAD - first;
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
