import { nobody } from '#platform/access.ts';
import type { WordMatchMode } from './model.ts';
import { searchText } from './words.ts';

/** Maintenance is for jobs and the command line. */
export const mayRefreshStatistics = nobody;

/** The normalised words of a text: lower case, without accents and apostrophes. */
export const normalizedWords = (text: string): string[] => searchText(text).split(' ').filter(Boolean);

/** Substrings need at least this many letters; shorter ones only match as prefixes. */
export const MIN_SUBSTRING_LENGTH = 3;

/** Whether `word` matches one of a listing's words. */
export const matchesWord = (word: string, reading: WordMatchMode, listed: Iterable<string>): boolean => {
  const inside = reading === 'parts' && word.length >= MIN_SUBSTRING_LENGTH;
  for (const one of listed) if (inside ? one.includes(word) : one.startsWith(word)) return true;
  return false;
};
