import { isDeepStrictEqual } from 'node:util';
import type { Ctx } from '#platform/context.ts';
import { type DictionaryMatch, similarWords, wordsContaining, wordsStartingWith } from './dictionary.ts';
import { hasAnyListing } from './fetch-page.ts';
import { mlsTerm } from './mls-numbers.ts';
import type { NamedPlace, WordMatchMode } from './model.ts';
import type { PlaceMarks } from './place-marks.ts';
import { type PlaceReading, placesNamed } from './places.ts';
import { likelyCorrections, mayBeMisspelt } from './spelling.ts';
import { wordsOfStreet } from './street-words.ts';
import { isImpossible, type Term } from './terms.ts';
import { queryWords } from './words.ts';

/** Words in more listings than this at the last refresh are known to exist without checking. */
const MAX_RARE_ENTRIES = 1_000;

/** Users may mean wildcards here, but these characters are literal, so no looser interpretation is tried. */
const wildcard = /[\p{L}\p{N}][%_*]+[\p{L}\p{N}]/u;

/** A possible interpretation of the search text. */
interface Interpretation {
  terms: Term[];
  /** the words of the terms, in the same order; in the reading as a place, all words that were typed */
  words: string[];
  /** `place`: some words name a place, and the listings are there; `mls`: the text is the number of a multiple
   * listing service; `numbers`: like beginnings, but numbers are whole */
  reading: WordMatchMode | 'place' | 'mls' | 'numbers';
  /** the corrected text; null if it was not corrected */
  correctedTo: string | null;
  /** the places of the same name, when the words name several */
  namesakes?: readonly NamedPlace[];
  /** their name, in words */
  named?: string;
  /** of a reading as places: what a saved search keeps of them, as many as there are first terms, and the words of the other terms */
  places?: readonly PlaceMarks[];
  others?: readonly string[];
}

const meaning = (terms: readonly Term[]) =>
  terms.map(({ lexemes, beginning }) => [beginning, lexemes.toSorted()]);

/**
 * Interpretations of the text, in the order to try them: it is the number of a listing in a multiple listing service; some words
 * name a place and the others equal or start a word of the listing; every word does, with whole numbers ('3 Austin St' is not 30 Austin
 * St); every word does; the same of words that are a street's suffix too ('Centre'); then substrings; then spelling corrections of words that no listing contains. None when the text has no letters or
 * digits. What was corrected is a place first, too.
 */
export async function* interpretations(ctx: Ctx, text: string): AsyncGenerator<Interpretation> {
  const words = queryWords(text);
  if (words.length === 0) {
    if (text.trim() === '') yield { terms: [], words, reading: 'beginnings', correctedTo: null };
    return;
  }
  const [listed, known, named] = await Promise.all([
    mlsTerm(ctx, text),
    wordsStartingWith(ctx, words),
    placesNamed(ctx, words),
  ]);
  // Five digits are a ZIP code first; the number is found with 'MLS' before it.
  const isZip = named.length > 0 && /^\d{5}$/.test(words.join(' '));
  if (listed && !(isZip && /^[\s\d-]*$/.test(text)))
    yield { terms: [listed], words, reading: 'mls', correctedTo: null };
  yield* asPlaces(ctx, named, words, null);
  yield* asWords(words, known);
  const street = wordsOfStreet(words);
  if (street) yield* asWords(street, await wordsStartingWith(ctx, street));
  if (wildcard.test(text)) return;
  const parts = await wordsContaining(ctx, words, known.types);
  if (!isDeepStrictEqual(meaning(parts), meaning(known.terms)))
    yield { terms: parts, words, reading: 'parts', correctedTo: null };
  yield* corrections(ctx, words, known, parts);
}

/** The listings in the places that words name, in which the other words are looked for. */
async function* asPlaces(
  ctx: Ctx,
  named: readonly PlaceReading[],
  words: string[],
  correctedTo: string | null,
): AsyncGenerator<Interpretation> {
  for (const { terms: places, others, namesakes, named: name, marks } of named) {
    const { terms } = others.length > 0 ? await wordsStartingWith(ctx, others) : { terms: [] };
    yield {
      terms: [...places, ...terms],
      words,
      reading: 'place',
      correctedTo,
      namesakes,
      named: name,
      places: marks,
      others,
    };
  }
}

/** Every word equals or starts one of the listing; whole numbers come first. */
function* asWords(words: string[], { terms }: DictionaryMatch): Generator<Interpretation> {
  const exact = withWholeNumbers(words, terms);
  if (exact) yield { terms: exact, words, reading: 'numbers', correctedTo: null };
  yield { terms, words, reading: 'beginnings', correctedTo: null };
}

/** The terms of several words of which those with digits stand for themselves alone; null when there are none. */
function withWholeNumbers(words: readonly string[], terms: readonly Term[]): Term[] | null {
  if (words.length < 2 || !words.some((word) => /\d/.test(word))) return null;
  return terms.map((term, at) => {
    const word = words[at] ?? '';
    // Few of those that begin with it are it.
    return /\d/.test(word)
      ? {
          lexemes: [word],
          beginning: null,
          entries: term.entries / (term.lexemes.length > 1 || term.beginning ? 10 : 1),
        }
      : term;
  });
}

/** Replaces words that no public listing contains by their likely corrections, best guess first. */
async function* corrections(
  ctx: Ctx,
  words: string[],
  known: DictionaryMatch,
  parts: Term[],
): AsyncGenerator<Interpretation> {
  const guesses: string[][] = [];
  for (const [at, word] of words.entries()) {
    const terms = [known.terms[at], parts[at]].filter((term) => term !== undefined);
    const misspelt = mayBeMisspelt(word) && !(await isInListings(ctx, terms));
    guesses.push(misspelt ? likelyCorrections(word, await similarWords(ctx, word, known.types)) : []);
  }
  for (const rank of [0, 1, 2]) {
    if (guesses.every((guess) => guess[rank] === undefined)) return;
    const meant = words.map((word, at) => guesses[at]?.[rank] ?? guesses[at]?.[0] ?? word);
    const [{ terms }, named] = await Promise.all([wordsStartingWith(ctx, meant), placesNamed(ctx, meant)]);
    yield* asPlaces(ctx, named, meant, meant.join(' '));
    yield { terms, words: meant, reading: 'beginnings', correctedTo: meant.join(' ') };
  }
}

/** The dictionary also contains words of removed listings, so a rare word is looked up in the listings. */
async function isInListings(ctx: Ctx, terms: readonly Term[]): Promise<boolean> {
  for (const term of terms.filter((one) => !isImpossible(one))) {
    if (term.entries > MAX_RARE_ENTRIES || (await hasAnyListing(ctx, [term]))) return true;
  }
  return false;
}
