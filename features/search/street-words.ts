import { abbreviationGroups } from '#platform/postal-abbreviations.ts';

/** Variants that are words of remarks or of names of places too ('Rockville Centre'), or begin such ('central'). */
const ALSO_WORDS = new Set(['ally', 'centr', 'centre', 'dvd', 'harbour']);

/**
 * The usual abbreviation of each other way of writing a street's suffix: the index holds it, and the word in full, for whatever an address
 * has of them. What begins one of the two finds them as it is.
 */
const usualForms = new Map(
  abbreviationGroups.flatMap(([full = '', usual = '', ...variants]) =>
    variants
      .filter((variant) => !full.startsWith(variant) && !usual.startsWith(variant))
      .map((variant) => [variant, usual]),
  ),
);

/** 'pkwy' for 'pky', 'parkwy' and 'pkway' (USPS Publication 28); any other word as it is, and those that have another meaning too. */
export const usualForm = (word: string): string =>
  ALSO_WORDS.has(word) ? word : (usualForms.get(word) ?? word);

/** The words as those of a street that has another meaning too: 'ctr' for 'centre'; null when there is none. */
export function wordsOfStreet(words: readonly string[]): string[] | null {
  if (!words.some((word) => ALSO_WORDS.has(word))) return null;
  return [...new Set(words.map((word) => usualForms.get(word) ?? word))];
}
