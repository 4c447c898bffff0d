import { type Market, shareOf } from './market.ts';
import { EXACT_TOTAL, PAGE_SIZE } from './model.ts';
import { type Filter, filterLexemes, queryText, type Term } from './terms.ts';

// Microseconds measured at a million listings (docs/decisions/003-search.md).
const ENTRY = 0.15;
const ROW = 1.6;
const POSTING = 0.25;
const LEXEME = 4;

/** Hits that a fair share of the market must be expected to hold before it may speak for the whole. */
const EVIDENCE = 80;
/** From so many expected hits on, a share can tell that there are more than 1,000. */
const SURELY_MANY = 4 * EXACT_TOTAL;
/** What a deep page may cost more than the first one, in microseconds. */
const DEEP_PAGE_COST = 20_000;
const DEEPEST_PAGE = 400;

/** The bound of a walk that goes to the end if it must. */
export const UNBOUNDED = 2 ** 31 - 1;

/** How a search is carried out: all hits by the inverted index, or the first ones along the order of the list. */
export type Plan =
  | { way: 'match'; query: string }
  | {
      way: 'walk';
      query: string | null;
      /** share of the market that is counted to tell the total; 1 for all of it */
      share: number;
      /** listings in the filter after which the walk gives up, because the estimates were wrong */
      bound: number;
      /** the last page that is near enough to walk to */
      deepestPage: number;
    };

/**
 * Chooses the cheaper way from estimates. They may be wrong: then the search takes longer, its answer is the same.
 * @param first how many hits lie before the page
 */
export function planSearch(market: Market, filter: Filter, terms: readonly Term[], first: number): Plan {
  const size = Math.max(1, market.size);
  const textShare = shareOfWords(terms, size);
  const filterShare = shareOf(market, filter);
  const share = textShare * filterShare;
  const match = cheapestMatch(market, filter, terms, size);

  const text = terms.length ? ROW : 0;
  const counted = Math.min(1, size * share > SURELY_MANY ? EVIDENCE / (size * share) : 1);
  const wanted = first + PAGE_SIZE + 1;
  const perHit = ENTRY / share + text / textShare;
  const walkCost = Math.min(wanted / share, size) * share * perHit + counted * size * share * perHit;
  if (match && match.cost < walkCost) return { way: 'match', query: match.query };

  const bound = terms.length ? Math.min(UNBOUNDED, Math.ceil((6 * wanted) / textShare) + 2_000) : UNBOUNDED;
  const reach = Math.max(EXACT_TOTAL, DEEP_PAGE_COST / perHit);
  const deepestPage = Math.min(DEEPEST_PAGE, Math.ceil(reach / PAGE_SIZE));
  return { way: 'walk', query: queryText(terms), share: counted, bound, deepestPage };
}

/** How many listings probably have all terms and pass the filter. */
export const expectedHits = (market: Market, filter: Filter, terms: readonly Term[]): number =>
  market.size * shareOf(market, filter) * shareOfWords(terms, Math.max(1, market.size));

/** The inverted index alone, for when a walk came to nothing; null without any word or filter to look for. */
export function planMatch(market: Market, filter: Filter, terms: readonly Term[]): Plan | null {
  const match = cheapestMatch(market, filter, terms, Math.max(1, market.size));
  return match && { way: 'match', query: match.query };
}

/** Walks to the end and counts every listing: always right, and slow in a large market. */
export const planEverything = (terms: readonly Term[]): Plan => ({
  way: 'walk',
  query: queryText(terms),
  share: 1,
  bound: UNBOUNDED,
  deepestPage: DEEPEST_PAGE,
});

/**
 * Words depend on each other ('salt lake'), so the second rarest only counts with the square root of its share, the
 * third with the fourth root, and so on.
 */
function shareOfWords(terms: readonly Term[], size: number): number {
  return terms
    .map((term) => Math.min(1, Math.max(term.entries, 1) / size))
    .sort((a, b) => a - b)
    .reduce((share, own, index) => share * own ** (1 / 2 ** index), 1);
}

/** Adds filters to the words as long as they save more rows than merging their lists costs. */
function cheapestMatch(market: Market, filter: Filter, words: readonly Term[], size: number) {
  const used = [...words];
  let share = shareOfWords(words, size);
  let shortest = Math.min(Infinity, ...words.map((word) => word.entries));
  let index = words.reduce((sum, word) => sum + listCost(word), 0);
  let cost = words.length ? index + POSTING * shortest * words.length + ROW * size * share : Infinity;
  const groups = filterLexemes(filter)
    .map(
      (lexemes): Term => ({
        lexemes,
        beginning: null,
        entries: size * shareOf(market, part(filter, lexemes)),
      }),
    )
    .sort((a, b) => a.entries - b.entries);
  for (const group of groups) {
    const nextShortest = Math.min(shortest, group.entries);
    const nextIndex = index + listCost(group);
    const nextShare = share * Math.min(1, (1.2 * group.entries) / size);
    const merged = POSTING * nextShortest * (used.length + 1) * Math.sqrt(group.lexemes.length);
    const nextCost = nextIndex + merged + ROW * size * nextShare;
    if (nextCost >= cost) continue;
    used.push(group);
    [share, shortest, index, cost] = [nextShare, nextShortest, nextIndex, nextCost];
  }
  const query = queryText(used);
  return query === null ? null : { query, cost };
}

/** Looking the lists up; a beginning has to be gathered from all of its lists first. */
const listCost = (term: Term): number =>
  LEXEME * term.lexemes.length + (term.beginning === null ? 0 : POSTING * 2 * term.entries);

/** The part of the filter that a group of lexemes stands for. */
function part(filter: Filter, lexemes: string[]): Partial<Filter> {
  switch (lexemes[0]?.[1]) {
    case 't':
      return { typeLow: filter.typeLow, typeHigh: filter.typeHigh };
    case 'b':
      return { beds: filter.beds };
    case 'h':
      return { baths: filter.baths };
    case 'g':
      return { bbox: filter.bbox };
    default:
      return { priceLow: filter.priceLow, priceHigh: filter.priceHigh };
  }
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
