import { ENTRY, ROW } from './costs.ts';
import { type Market, shareOf } from './market.ts';
import { cheapestMatch, checkOf, type IndexQuery, shareOfWords } from './match.ts';
import { EXACT_TOTAL, PAGE_SIZE, type SearchSort } from './model.ts';
import { nearestPart } from './nearest.ts';
import { type Filter, noFilter, queryText, type Term } from './terms.ts';

/** Hits that a fair share of the market must be expected to hold before it may speak for the whole. */
const EVIDENCE = 80;
/** From so many expected hits on, a share can tell that there are more than 1,000. */
const SURELY_MANY = 4 * EXACT_TOTAL;
/** What a deep page may cost more than the first one, in microseconds. */
const DEEP_PAGE_COST = 20_000;
const DEEPEST_PAGE = 400;
/** How often a count by the index is in vain. */
const FAILING = 0.3;
/** How much longer a walk may take whose words depend on each other in unknown ways. */
const DOUBT = 2;
/** Microseconds from which it is worth looking for less to read. */
const DEAR = 6_000;
/** Reading the front part alone must promise so much less, since it may have to be followed by reading all. */
const GAIN = 0.75;
/** The bound of a walk that goes to the end if it must. */
export const UNBOUNDED = 2 ** 31 - 1;

/** How a total is found: in a fair share of the market (1: in all of it), or by the inverted index up to 1,001. */
export type Count = { by: 'share'; share: number } | ({ by: 'index' } & IndexQuery);

/** How a search is carried out: all hits by the inverted index, or the first ones along the order of the list. */
export type Plan =
  | ({
      way: 'match';
      /** the sort key up to which hits count, where the front part of a long list is enough; null for all hits */
      nearest: number | null;
    } & IndexQuery)
  | {
      way: 'walk';
      query: string | null;
      count: Count;
      /** fewer counted hits than this show that the walk would be long: it is not even begun */
      least: number;
      /** listings in the filter after which the walk gives up, because the estimates were wrong */
      bound: number;
      /** the last page that is near enough to walk to */
      deepestPage: number;
    };

/** A page of the sorted list. */
export interface Page {
  sort: SearchSort;
  /** how many hits lie before it */
  first: number;
  now: Date;
}

/** Chooses the cheapest way from estimates. They may be wrong: then the search takes longer, its answer is the same. */
export function planSearch(market: Market, filter: Filter, terms: readonly Term[], page: Page): Plan {
  const size = Math.max(1, market.size);
  const textShare = shareOfWords(terms, size);
  const filterShare = shareOf(market, filter);
  const hits = size * textShare * filterShare;
  const perEntry = ENTRY + (terms.length ? filterShare * (ROW + checkOf(terms)) : 0);

  const share = hits > SURELY_MANY ? EVIDENCE / hits : 1;
  const shareCost = share * size * perEntry;
  const counted = cheapestMatch(market, filter, terms, EXACT_TOTAL + 1);
  const byIndex = counted !== null && counted.cost < shareCost;
  const wanted = page.first + PAGE_SIZE + 1;
  const match = matchFor(market, filter, terms, page, hits);
  const pageCost = Math.min(size, (wanted * size) / hits) * perEntry * (terms.length > 1 ? DOUBT : 1);
  // A count by the index may show that there are too few hits to walk to; then the index is asked again.
  const countCost = byIndex ? counted.cost + FAILING * (match?.cost ?? 0) : shareCost;
  if (match && match.cost < pageCost + countCost) return match;

  const reach = Math.max(EXACT_TOTAL, (DEEP_PAGE_COST * hits) / (size * perEntry));
  return {
    way: 'walk',
    query: queryText(terms),
    count: byIndex ? { by: 'index', ...counted } : { by: 'share', share },
    least: Math.floor(byIndex ? Math.min(EXACT_TOTAL, hits / 4) : (hits * share) / 4),
    bound: terms.length ? Math.min(UNBOUNDED, Math.ceil((2.5 * wanted) / textShare) + 500) : UNBOUNDED,
    deepestPage: Math.min(DEEPEST_PAGE, Math.ceil(reach / PAGE_SIZE)),
  };
}

type Match = Extract<Plan, { way: 'match' }>;

/** All hits by the inverted index, or those of the front part when that fills the page and is far cheaper. */
function matchFor(
  market: Market,
  filter: Filter,
  terms: readonly Term[],
  { first, sort, now }: Page,
  hits: number,
): Match | null {
  const all = cheapestMatch(market, filter, terms);
  if (!all) return null;
  // Of several words it is too uncertain how many listings have them all.
  if (all.cost < DEAR || terms.length > 1) return { way: 'match', nearest: null, ...all };
  const wanted = Math.max(first + PAGE_SIZE, EXACT_TOTAL) + 1;
  const nearest = nearestPart(market, filter, sort, { wanted, hits, now });
  const front = nearest && cheapestMatch(market, filter, terms, Infinity, nearest);
  if (front && front.cost < GAIN * all.cost) return { way: 'match', nearest: nearest.bound, ...front };
  return { way: 'match', nearest: null, ...all };
}

/** Whether a few hits that nobody counts are found sooner by walking, and how far to go at most; null for the index. */
export function boundForFew(market: Market, terms: readonly Term[], many: number): number | null {
  const size = Math.max(1, market.size);
  const passed = Math.min(size, many / shareOfWords(terms, size));
  const walkCost = DOUBT * passed * (ENTRY + ROW + checkOf(terms));
  const match = cheapestMatch(market, noFilter, terms, many);
  return match && match.cost < walkCost ? null : Math.ceil(2.5 * passed) + 500;
}

/** How many listings probably have all terms and pass the filter. */
export const expectedHits = (market: Market, filter: Filter, terms: readonly Term[]): number =>
  market.size * shareOf(market, filter) * shareOfWords(terms, Math.max(1, market.size));

/** What never fails, for when a walk came to nothing: the inverted index, or the whole list where nothing narrows it. */
export function planSurely(market: Market, filter: Filter, terms: readonly Term[]): Plan {
  const match = cheapestMatch(market, filter, terms);
  if (match) return { way: 'match', nearest: null, ...match };
  const count: Count = { by: 'share', share: 1 };
  return { way: 'walk', query: null, count, least: 0, bound: UNBOUNDED, deepestPage: DEEPEST_PAGE };
}

/** The id below which the given share of random ids lies. */
export function cutAt(share: number): string {
  if (share >= 1) return 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  return `${Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}-0000-0000-0000-000000000000`;
}

/**
 * What the count of a share tells about the total: the exact number when the share was all; more than 1,000 when at
 * most 1,000 hits could not have put so many into it (six deviations and ten); otherwise nothing.
 */
export function totalFrom(counted: number, share: number): { total: number; capped: boolean } | null {
  if (share >= 1) return { total: Math.min(counted, EXACT_TOTAL), capped: counted > EXACT_TOTAL };
  const most = EXACT_TOTAL * share;
  return counted > most + 6 * Math.sqrt(most) + 10 ? { total: EXACT_TOTAL, capped: true } : null;
}
