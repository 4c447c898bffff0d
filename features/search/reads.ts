import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type KnownWords, wordsBeginning, wordsContaining, wordsLike } from './dictionary.ts';
import { find, nothing, type Search, type SearchResult } from './find.ts';
import { marketOf } from './market.ts';
import type { SearchCriteria } from './model.ts';
import { anyListing } from './pages.ts';
import { likelyMeant, mayBeMisspelt } from './spelling.ts';
import { filterOf, isImpossible, type Term } from './terms.ts';
import { queryWords } from './words.ts';

/** Words in more listings than this at the last refresh are taken for known without looking. */
const RARE = 1_000;

/**
 * A page of the public listings that fit the criteria. Every typed word must equal or begin a word of the listing's
 * title, address, city, state, ZIP, description or type; where nothing does, a part of a word is enough; where that
 * finds nothing either, a likely misspelling is corrected and said so. Strange input finds nothing and is no error.
 */
export async function searchListings(ctx: Ctx, criteria: SearchCriteria): Promise<SearchResult> {
  authorize(ctx, anyone);
  const market = await marketOf(ctx);
  const search: Search = { ctx, market, criteria, filter: filterOf(criteria) };
  const words = queryWords(criteria.text);
  if (words.length === 0) return criteria.text.trim() ? nothing : find(search, []);
  const q = ctx.db.replica();
  const known = await wordsBeginning(q, words);
  const asTyped = await find(search, known.terms);
  if (asTyped.total > 0) return asTyped;
  const parts = await wordsContaining(q, words, known.types);
  const byParts = await find(search, parts);
  return byParts.total > 0 ? byParts : correct(search, words, known, parts);
}

/** Replaces the words that no public listing has any part of by what was likely meant, the best guess first. */
async function correct(
  search: Search,
  words: string[],
  known: KnownWords,
  parts: Term[],
): Promise<SearchResult> {
  const q = search.ctx.db.replica();
  const guesses: string[][] = [];
  for (const [at, word] of words.entries()) {
    const terms = [known.terms[at], parts[at]].filter((term) => term !== undefined);
    if (await isFound(search, terms)) guesses.push([]);
    else guesses.push(mayBeMisspelt(word) ? likelyMeant(word, await wordsLike(q, word, known.types)) : []);
  }
  for (const rank of [0, 1, 2]) {
    if (guesses.every((guess) => guess[rank] === undefined)) break;
    const attempt = words.map((word, at) => guesses[at]?.[rank] ?? guesses[at]?.[0] ?? word);
    const { terms } = await wordsBeginning(q, attempt);
    const corrected = await find(search, terms);
    if (corrected.total > 0) return { ...corrected, correctedTo: attempt.join(' ') };
  }
  return nothing;
}

/** The dictionary also keeps words of listings that are gone, so a rare word is looked up among the listings. */
async function isFound(search: Search, terms: readonly Term[]): Promise<boolean> {
  for (const term of terms.filter((one) => !isImpossible(one))) {
    if (term.entries > RARE) return true;
    if (await anyListing(search.ctx.db.replica(), [term])) return true;
  }
  return false;
}
