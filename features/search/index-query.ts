import {
  LEXEME_LOOKUP_COST,
  POSTING_COST,
  PREFIX_POSTING_COST,
  QUERY_ALTERNATIVE_COST,
  ROW_ALTERNATIVE_COST,
  ROW_CHECK_COST,
  ROW_READ_COST,
} from './cost-model.ts';
import type { Nearest } from './nearest.ts';
import { estimateFilter, type SearchStatistics } from './search-statistics.ts';
import { type Filter, queryText, type Term } from './terms.ts';

/** A query for the inverted index, and the condition then checked on each listing it returns. */
export interface IndexQuery {
  query: string;
  /** a second index query to intersect with; null when one is enough */
  also: string | null;
  rest: string | null;
  /** microseconds */
  cost: number;
}

/** A term that could be part of the index query. */
interface Candidate extends Term {
  share: number;
  /** false for a filter, whose bounds are always rechecked on the listing */
  isWord: boolean;
}

/**
 * Words are correlated ('salt lake'), so after the rarest one each further word narrows less than its own share.
 * @returns the estimated share (0–1) of listings that have all words
 */
export function wordsSelectivity(terms: readonly Term[], size: number): number {
  return terms
    .map((term) => Math.min(1, Math.max(term.entries, 1) / size))
    .sort((a, b) => a - b)
    .reduce((share, own, index) => share * own ** (0.75 ** index), 1);
}

/**
 * Chooses the cheapest set of words and filters for the index query: the most selective one, then each further one
 * that saves more row reads than intersecting its posting lists costs.
 * @param most hits after which the search may stop
 * @param nearest the first part of the sorted list, if hits are limited to it
 * @returns null without any word or filter
 */
export function cheapestIndexQuery(
  statistics: SearchStatistics,
  filter: Filter,
  words: readonly Term[],
  most = Infinity,
  nearest: Nearest | null = null,
): IndexQuery | null {
  const size = Math.max(1, statistics.size);
  const estimate = estimateFilter(statistics, filter);
  const open: Candidate[] = [
    ...words.map((word) => ({ ...word, share: Math.min(1, Math.max(1, word.entries) / size), isWord: true })),
    ...estimate.terms.map(({ lexemes, share }) => ({
      lexemes,
      beginning: null,
      entries: share * size,
      share,
      isWord: false,
    })),
  ];
  if (nearest) {
    const { lexemes, share } = nearest;
    open.push({ lexemes, beginning: null, entries: share * size, share, isWord: false });
  }
  const hits = size * wordsSelectivity(words, size) * estimate.share * (nearest?.share ?? 1);
  let used: Candidate[] = [];
  let cost = Infinity;
  while (open.length > 0) {
    const priced = open.map((one) => ({
      one,
      cost: estimateCost(
        [...used, one],
        open.filter((other) => other !== one && other.isWord),
        size,
        hits,
        most,
      ),
    }));
    const best = priced.reduce((a, b) => (b.cost < a.cost ? b : a));
    if (best.cost >= cost) break;
    used = [...used, best.one];
    cost = best.cost;
    open.splice(open.indexOf(best.one), 1);
  }
  const [main, ...others] = used;
  if (!main) return null;
  const rest = queryText(open.filter((one) => one.isWord));
  return { query: queryText([main]), also: queryText(others), rest, cost };
}

/**
 * Posting lists are looked up (those of a prefix merged), the shortest is scanned, and the remaining listings are
 * read.
 */
function estimateCost(
  used: readonly Candidate[],
  rest: readonly Candidate[],
  size: number,
  hits: number,
  most: number,
): number {
  let lookups = 0;
  let shortest = Infinity;
  for (const { lexemes, beginning, entries } of used) {
    lookups += LEXEME_LOOKUP_COST * lexemes.length + (beginning === null ? 0 : PREFIX_POSTING_COST * entries);
    shortest = Math.min(shortest, entries);
  }
  const merging =
    shortest * (POSTING_COST * (0.6 + 0.2 * used.length) + QUERY_ALTERNATIVE_COST * countAlternatives(used));
  const words = used.filter((one) => one.isWord);
  const filters = used.filter((one) => !one.isWord);
  const found = Math.max(
    hits,
    size * wordsSelectivity(words, size) * filters.reduce((all, one) => all * one.share, 1),
  );
  const read = found * Math.min(1, most / Math.max(1, hits));
  return lookups + merging + read * (ROW_READ_COST + rowCheckCost(rest));
}

const countAlternatives = (terms: readonly Term[]): number =>
  terms.reduce((sum, term) => sum + term.lexemes.length, 0);

/** Cost of comparing the words of a row that has been read. */
export const rowCheckCost = (terms: readonly Term[]): number =>
  terms.length ? ROW_CHECK_COST + ROW_ALTERNATIVE_COST * countAlternatives(terms) : 0;
