import { ALTERNATIVE, CHECK, CHOICE, GATHERED, LEXEME, POSTING, ROW } from './costs.ts';
import { type Market, shareOf } from './market.ts';
import type { Nearest } from './nearest.ts';
import { type Filter, filterTerms, queryText, type Term } from './terms.ts';

/** What the inverted index is asked for, and what is then asked of each listing it leads to. */
export interface IndexQuery {
  query: string;
  /** what the index is asked beside it; null when one question is enough */
  also: string | null;
  rest: string | null;
  /** microseconds */
  cost: number;
}

/** Something the index could be asked for. */
interface Candidate extends Term {
  share: number;
  /** false for a filter: its bounds are always asked of the listing as well */
  isWord: boolean;
}

/**
 * Words depend on each other ('salt lake'), so after the rarest one the others narrow less than their own share.
 * @returns the share of the market (0–1) that probably has all words
 */
export function shareOfWords(terms: readonly Term[], size: number): number {
  return terms
    .map((term) => Math.min(1, Math.max(term.entries, 1) / size))
    .sort((a, b) => a - b)
    .reduce((share, own, index) => share * own ** (0.75 ** index), 1);
}

/**
 * The cheapest set of words and filters to ask the inverted index for: the most telling one, and then every further
 * one that saves more listings than merging its lists costs.
 * @param most hits after which the search may stop
 * @param nearest the part of the sorted list to which the hits are limited
 * @returns null without any word or filter
 */
export function cheapestMatch(
  market: Market,
  filter: Filter,
  words: readonly Term[],
  most = Infinity,
  nearest: Nearest | null = null,
): IndexQuery | null {
  const size = Math.max(1, market.size);
  const open: Candidate[] = [
    ...words.map((word) => ({ ...word, share: Math.min(1, Math.max(1, word.entries) / size), isWord: true })),
    ...filterTerms(filter).map(({ lexemes, part }) => {
      const share = shareOf(market, part);
      return { lexemes, beginning: null, entries: share * size, share, isWord: false };
    }),
  ];
  if (nearest) {
    const { lexemes, share } = nearest;
    open.push({ lexemes, beginning: null, entries: share * size, share, isWord: false });
  }
  const hits = size * shareOfWords(words, size) * shareOf(market, filter) * (nearest?.share ?? 1);
  let used: Candidate[] = [];
  let cost = Infinity;
  while (open.length > 0) {
    const priced = open.map((one) => ({
      one,
      cost: costOf(
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

/** Lists are looked up, those of a beginning gathered; the shortest one is gone through, the listings left are read. */
function costOf(
  used: readonly Candidate[],
  rest: readonly Candidate[],
  size: number,
  hits: number,
  most: number,
): number {
  let lookups = 0;
  let shortest = Infinity;
  for (const { lexemes, beginning, entries } of used) {
    lookups += LEXEME * lexemes.length + (beginning === null ? 0 : GATHERED * entries);
    shortest = Math.min(shortest, entries);
  }
  const merging = shortest * (POSTING * (0.6 + 0.2 * used.length) + CHOICE * alternativesOf(used));
  const words = used.filter((one) => one.isWord);
  const filters = used.filter((one) => !one.isWord);
  const found = Math.max(
    hits,
    size * shareOfWords(words, size) * filters.reduce((all, one) => all * one.share, 1),
  );
  const read = found * Math.min(1, most / Math.max(1, hits));
  return lookups + merging + read * (ROW + checkOf(rest));
}

const alternativesOf = (terms: readonly Term[]): number =>
  terms.reduce((sum, term) => sum + term.lexemes.length, 0);

/** Comparing the words of a row that has been read. */
export const checkOf = (terms: readonly Term[]): number =>
  terms.length ? CHECK + ALTERNATIVE * alternativesOf(terms) : 0;
