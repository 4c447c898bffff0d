import { describe, expect, it } from 'vitest';
import { editsOf, likelyMeant, mayBeMisspelt, slipsBetween } from './spelling.ts';

describe('slips between two words', () => {
  it.each([
    ['maple', 'maple', 0],
    ['mapel', 'maple', 1],
    ['maple', 'aple', 1],
    ['maple', 'mmaple', 1],
    ['maple', 'mable', 1],
    ['observatroy', 'observatory', 1],
    ['lebannon', 'lebanon', 1],
    ['savana', 'savannah', 2],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('%s and %s: %i', (first, second, slips) => {
    expect(slipsBetween(first, second)).toBe(slips);
    expect(slipsBetween(second, first)).toBe(slips);
  });
});

it('lists exactly the words one slip away', () => {
  for (const edit of editsOf('maple')) expect(slipsBetween('maple', edit)).toBe(1);
  expect(editsOf('maple')).toEqual(expect.arrayContaining(['mapel', 'aple', 'mapple', 'mople', 'maples']));
  expect(editsOf('maple')).not.toContain('maple');
});

it('never takes numbers or short words for misspelt', () => {
  expect(['oak', '78701', '2car', 'maple'].map(mayBeMisspelt)).toEqual([false, false, false, true]);
});

it('prefers fewer slips, then the same first letter, then the more frequent word', () => {
  expect(likelyMeant('mapel', ['papel', 'mabel', 'maple', 'chapel'])).toEqual(['mabel', 'maple', 'papel']);
  expect(likelyMeant('savana', ['savannah', 'cabana'])).toEqual(['savannah', 'cabana']);
  expect(likelyMeant('hous', ['houses', 'mouse'])).toEqual([]);
});
