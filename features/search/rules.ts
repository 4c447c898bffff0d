import { nobody } from '#platform/access.ts';
import type { Reading } from './model.ts';
import { searchText } from './words.ts';

/** Upkeep is the business of jobs and of the command line. */
export const mayRefreshStatistics = nobody;

/** The words of a text as the search compares them: lower case, without accents and apostrophes. */
export const wordsOf = (text: string): string[] => searchText(text).split(' ').filter(Boolean);

/** A part of a word needs so many letters; shorter ones only match beginnings. */
export const SHORTEST_PART = 3;

/** Whether one of a listing's words is what `word` stands for. */
export const wordFits = (word: string, reading: Reading, listed: Iterable<string>): boolean => {
  const inside = reading === 'parts' && word.length >= SHORTEST_PART;
  for (const one of listed) if (inside ? one.includes(word) : one.startsWith(word)) return true;
  return false;
};
