import { INDEX_ENTRY_COST, ROW_READ_COST } from './cost-model.ts';
import { cheapestIndexQuery, type IndexQuery, rowCheckCost, wordsSelectivity } from './index-query.ts';
import { EXACT_TOTAL, PAGE_SIZE, type SearchSort } from './model.ts';
import { nearestPart } from './nearest.ts';
import { estimateFilter, type SearchStatistics } from './search-statistics.ts';
import { type Filter, noFilter, queryText, type Term } from './terms.ts';

/** Expected hits in a sample for it to be representative. */
const MIN_SAMPLE_HITS = 80;
/** From this many expected hits, a sample can prove that there are more than 1,000. */
const MIN_HITS_FOR_SAMPLE = 4 * EXACT_TOTAL;
/** Extra cost allowed for a deep page over the first one, in microseconds. */
const DEEP_PAGE_COST = 20_000;
const DEEPEST_PAGE = 400;
/** Probability that a count by the index is in vain. */
const COUNT_FAILURE_RATE = 0.3;
/** Cost factor of a walk with several, possibly correlated, words. */
const CORRELATION_FACTOR = 2;
/** Cost in microseconds above which reading a part of the list is considered. */
const EXPENSIVE_COST = 6_000;
/** Reading the first part must cost at most this fraction, since it may have to be followed by reading all. */
const MAX_COST_RATIO = 0.75;
/** Bound of a walk without limit. */
export const UNBOUNDED = 2 ** 31 - 1;

/** How the total is counted: in a sample of the market (share 1: all of it), or by the inverted index up to 1,001. */
export type Count = { by: 'share'; share: number } | ({ by: 'index' } & IndexQuery);

/**
 * An execution plan: `match` gets all hits from the inverted index, `walk` scans the list in sort order until the
 * page is full.
 */
export type Plan =
  | ({
      way: 'match';
      /** the sort key up to which hits are read, when the first part of a long list is enough; null for all hits */
      nearest: number | null;
    } & IndexQuery)
  | {
      way: 'walk';
      query: string | null;
      count: Count;
      /** with fewer counted hits the walk would be long and is not started */
      minCount: number;
      /** filtered listings after which the walk gives up, because the estimates were wrong */
      bound: number;
      /** the last page that is cheap enough to walk to */
      deepestPage: number;
    };

/** A page of the sorted list. */
export interface Page {
  sort: SearchSort;
  /** number of hits before the page */
  first: number;
  /** the page begins after a known listing, so what is before it is not walked through */
  follows?: boolean;
  now: Date;
}

/** Chooses the cheapest plan from estimates. Wrong estimates make the search slower, never incorrect. */
export function planSearch(
  statistics: SearchStatistics,
  filter: Filter,
  terms: readonly Term[],
  page: Page,
): Plan {
  const size = Math.max(1, statistics.size);
  const textShare = wordsSelectivity(terms, size);
  const filterShare = estimateFilter(statistics, filter).share;
  const hits = size * textShare * filterShare;
  const perEntry =
    INDEX_ENTRY_COST + (terms.length ? filterShare * (ROW_READ_COST + rowCheckCost(terms)) : 0);

  const share = hits > MIN_HITS_FOR_SAMPLE ? MIN_SAMPLE_HITS / hits : 1;
  const shareCost = share * size * perEntry;
  const counted = cheapestIndexQuery(statistics, filter, terms, EXACT_TOTAL + 1);
  const byIndex = counted !== null && counted.cost < shareCost;
  const wanted = (page.follows ? 0 : page.first) + PAGE_SIZE + 1;
  const match = planMatch(statistics, filter, terms, page, hits);
  const pageCost =
    Math.min(size, (wanted * size) / hits) * perEntry * (terms.length > 1 ? CORRELATION_FACTOR : 1);
  // A count by the index may find too few hits for a walk; then the index is queried again.
  const countCost = byIndex ? counted.cost + COUNT_FAILURE_RATE * (match?.cost ?? 0) : shareCost;
  if (match && match.cost < pageCost + countCost) return match;

  const reach = Math.max(EXACT_TOTAL, (DEEP_PAGE_COST * hits) / (size * perEntry));
  return {
    way: 'walk',
    query: queryText(terms),
    count: byIndex ? { by: 'index', ...counted } : { by: 'share', share },
    minCount: Math.floor(byIndex ? Math.min(EXACT_TOTAL, hits / 4) : (hits * share) / 4),
    bound: terms.length ? Math.min(UNBOUNDED, Math.ceil((2.5 * wanted) / textShare) + 500) : UNBOUNDED,
    deepestPage: Math.min(DEEPEST_PAGE, Math.ceil(reach / PAGE_SIZE)),
  };
}

type Match = Extract<Plan, { way: 'match' }>;

/** All hits by the inverted index, or those of the first part when they fill the page and are much cheaper. */
function planMatch(
  statistics: SearchStatistics,
  filter: Filter,
  terms: readonly Term[],
  { first, sort, now }: Page,
  hits: number,
): Match | null {
  const all = cheapestIndexQuery(statistics, filter, terms);
  if (!all) return null;
  // With several words the number of hits is too uncertain.
  if (all.cost < EXPENSIVE_COST || terms.length > 1) return { way: 'match', nearest: null, ...all };
  const wanted = Math.max(first + PAGE_SIZE, EXACT_TOTAL) + 1;
  const nearest = nearestPart(statistics, filter, sort, { wanted, hits, now });
  const front = nearest && cheapestIndexQuery(statistics, filter, terms, Infinity, nearest);
  if (front && front.cost < MAX_COST_RATIO * all.cost)
    return { way: 'match', nearest: nearest.bound, ...front };
  return { way: 'match', nearest: null, ...all };
}

/** The bound of a walk to `many` hits, or null when the inverted index finds them sooner. */
export function walkBoundForFew(
  statistics: SearchStatistics,
  terms: readonly Term[],
  many: number,
): number | null {
  const size = Math.max(1, statistics.size);
  const passed = Math.min(size, many / wordsSelectivity(terms, size));
  const walkCost = CORRELATION_FACTOR * passed * (INDEX_ENTRY_COST + ROW_READ_COST + rowCheckCost(terms));
  const match = cheapestIndexQuery(statistics, noFilter, terms, many);
  return match && match.cost < walkCost ? null : Math.ceil(2.5 * passed) + 500;
}

/** Estimated number of listings that match all terms and the filter. */
export const expectedHits = (statistics: SearchStatistics, filter: Filter, terms: readonly Term[]): number =>
  statistics.size *
  estimateFilter(statistics, filter).share *
  wordsSelectivity(terms, Math.max(1, statistics.size));

/**
 * The plan that always succeeds, used after a failed walk: the inverted index, or the whole list without any term or
 * filter.
 */
export function fallbackPlan(statistics: SearchStatistics, filter: Filter, terms: readonly Term[]): Plan {
  const match = cheapestIndexQuery(statistics, filter, terms);
  if (match) return { way: 'match', nearest: null, ...match };
  const count: Count = { by: 'share', share: 1 };
  return { way: 'walk', query: null, count, minCount: 0, bound: UNBOUNDED, deepestPage: DEEPEST_PAGE };
}

/** The id below which the given share of random ids lies. */
export function idAtShare(share: number): string {
  if (share >= 1) return 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  return `${Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}-0000-0000-0000-000000000000`;
}

/**
 * Extrapolates the total from the count in a sample: exact when the sample was everything; more than 1,000 when 1,000
 * hits could not have put so many into it (six standard deviations plus ten); otherwise null.
 */
export function extrapolateTotal(counted: number, share: number): { total: number; capped: boolean } | null {
  if (share >= 1) return { total: Math.min(counted, EXACT_TOTAL), capped: counted > EXACT_TOTAL };
  const most = EXACT_TOTAL * share;
  return counted > most + 6 * Math.sqrt(most) + 10 ? { total: EXACT_TOTAL, capped: true } : null;
}
