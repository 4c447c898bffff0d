import { isDeepStrictEqual } from 'node:util';
import type { Ctx } from '#platform/context.ts';
import { type KnownWords, wordsBeginning, wordsContaining, wordsLike } from './dictionary.ts';
import type { Reading } from './model.ts';
import { anyListing } from './pages.ts';
import { likelyMeant, mayBeMisspelt } from './spelling.ts';
import { isImpossible, type Term } from './terms.ts';
import { queryWords } from './words.ts';

/** Words in more listings than this at the last refresh are taken for known without looking. */
const RARE = 1_000;

/** Between letters these are meant as wildcards elsewhere; here they stand for themselves, so no looser reading follows. */
const wildcard = /[\p{L}\p{N}][%_*]+[\p{L}\p{N}]/u;

/** What typed text may mean. */
export interface Interpretation {
  terms: Term[];
  /** what the terms stand for, one by one */
  words: string[];
  reading: Reading;
  /** the words meant, when they are not the typed ones */
  correctedTo: string | null;
}

const meaning = (terms: readonly Term[]) =>
  terms.map(({ lexemes, beginning }) => [beginning, lexemes.toSorted()]);

/**
 * What the text may mean, in the order in which to try: every word equals or begins a word of the listing; a part of
 * a word is enough; what no listing has any part of is a misspelling. None when the text has no letter and no digit.
 */
export async function* interpretations(ctx: Ctx, text: string): AsyncGenerator<Interpretation> {
  const words = queryWords(text);
  if (words.length === 0) {
    if (text.trim() === '') yield { terms: [], words, reading: 'beginnings', correctedTo: null };
    return;
  }
  const q = ctx.db.replica();
  const known = await wordsBeginning(q, words);
  yield { terms: known.terms, words, reading: 'beginnings', correctedTo: null };
  if (wildcard.test(text)) return;
  const parts = await wordsContaining(q, words, known.types);
  if (!isDeepStrictEqual(meaning(parts), meaning(known.terms)))
    yield { terms: parts, words, reading: 'parts', correctedTo: null };
  yield* corrections(ctx, words, known, parts);
}

/** Replaces the words that no public listing has any part of by what was likely meant, the best guess first. */
async function* corrections(
  ctx: Ctx,
  words: string[],
  known: KnownWords,
  parts: Term[],
): AsyncGenerator<Interpretation> {
  const q = ctx.db.replica();
  const guesses: string[][] = [];
  for (const [at, word] of words.entries()) {
    const terms = [known.terms[at], parts[at]].filter((term) => term !== undefined);
    const misspelt = mayBeMisspelt(word) && !(await isFound(ctx, terms));
    guesses.push(misspelt ? likelyMeant(word, await wordsLike(q, word, known.types)) : []);
  }
  for (const rank of [0, 1, 2]) {
    if (guesses.every((guess) => guess[rank] === undefined)) return;
    const meant = words.map((word, at) => guesses[at]?.[rank] ?? guesses[at]?.[0] ?? word);
    const { terms } = await wordsBeginning(q, meant);
    yield { terms, words: meant, reading: 'beginnings', correctedTo: meant.join(' ') };
  }
}

/** The dictionary also keeps words of listings that are gone, so a rare word is looked up among the listings. */
async function isFound(ctx: Ctx, terms: readonly Term[]): Promise<boolean> {
  for (const term of terms.filter((one) => !isImpossible(one))) {
    if (term.entries > RARE || (await anyListing(ctx.db.replica(), [term]))) return true;
  }
  return false;
}
