const LONGEST_QUERY = 200;
const MOST_WORDS = 12;
const LONGEST_WORD = 40;

// The same rule as the database function search_text: what is searched and what is typed fall into the same words.
const marks = /[\u0300-\u036f\u2019\u02bc']/g;
const separators =
  /[^a-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufaff]+/g;

/** Lower case, without accents and apostrophes, words (of at most 40 characters) separated by one space. */
export function searchText(value: string): string {
  return value
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(separators, ' ')
    .trim()
    .split(' ')
    .map((word) => word.slice(0, LONGEST_WORD))
    .join(' ');
}

/** The distinct words of what a person typed; only the first 200 characters and 12 words count. */
export function queryWords(typed: string): string[] {
  const words = searchText(typed.slice(0, LONGEST_QUERY)).split(' ').filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS);
}
