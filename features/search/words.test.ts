import { expect, it } from 'vitest';
import { placedWords, queryWords } from './words.ts';

// Words become parts of patterns and of ranges in the database.
it.each([
  'Elgin (.*) [a-z]+ ^x$ a|b {9} \\d \\\\',
  '(a+)+$ .*.*.* (?=x) (?<n>y)',
  "O'Fallon St. Mary’s 12½ ½ № ①",
  'é́́ e\u0301 ☃ 𝟙𝟚 ﬁne ١٢ \u0000 \u202e',
  '| ! ~ } { = : & * < > %s _ "',
])('words of a search are letters and digits alone: %s', (typed) => {
  const words = [...queryWords(typed), ...queryWords(typed, { unfinished: true })];
  expect(
    [...words, ...placedWords(typed).map(({ word }) => word)].filter((one) => !/^[\p{L}\p{N}]+$/u.test(one)),
  ).toEqual([]);
});
