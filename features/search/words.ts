import { usualForm } from './street-words.ts';

const MAX_QUERY_LENGTH = 200;
const MAX_WORDS = 12;
const MAX_WORD_LENGTH = 40;

// Must match the database function search_text, so that indexed and typed text are split the same way.
const marks = /[\u0300-\u036f\u2019\u02bc']/g;
const separators =
  /[^a-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufaff]+/g;

/** Lower case, without accents and apostrophes, words (at most 40 characters) separated by single spaces. */
export function searchText(value: string): string {
  return value
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(separators, ' ')
    .trim()
    .split(' ')
    .map((word) => word.slice(0, MAX_WORD_LENGTH))
    .join(' ');
}

/** The four digits that narrow a ZIP code; listings have the first five. */
const zipExtension = /\b(\d{5})-\d{4}\b/g;
/** The country at the end of an address; every listing is in it. */
const country = /(?<=\S)[\s,]+(?:u\.?s\.?a\.?|united states(?: of america)?)\s*$/i;

/** The first 200 characters of typed text without what no listing has: the end of a ZIP+4, and the country. */
export const withoutExtras = (typed: string): string =>
  typed.slice(0, MAX_QUERY_LENGTH).replace(zipExtension, '$1').replace(country, '');

/**
 * The distinct words of typed text, without ZIP+4 and country, suffixes of streets in their usual form; only the first 200 characters and
 * 12 words count.
 * @param unfinished whether the last word is still being typed, so that it stays as it is
 */
export function queryWords(typed: string, { unfinished = false } = {}): string[] {
  const words = plainWords(withoutExtras(typed));
  const usual = words.map((word, at) => (unfinished && at === words.length - 1 ? word : usualForm(word)));
  return [...new Set(usual)].slice(0, MAX_WORDS);
}

const plainWords = (text: string): string[] => searchText(text).split(' ').filter(Boolean);

/** A word of a text, as `queryWords` has it, and where it is. */
export interface PlacedWord {
  word: string;
  start: number;
  end: number;
}

/** The words of the beginning of a text, at most 24, each time that they occur. */
export const placedWords = (text: string): PlacedWord[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}'\u2019\u02bc]+/gu)]
    .slice(0, 2 * MAX_WORDS)
    .flatMap(({ 0: part, index }) =>
      wordsOfPart(part).map((word) => ({ word, start: index, end: index + part.length })),
    );

/** All words of a part of typed text, as `queryWords` has them. */
export const wordsOfPart = (part: string): string[] => plainWords(part).map(usualForm);
