import { describe, expect, it } from 'vitest';
import { editDistance, likelyCorrections, mayBeMisspelt, singleEdits } from './spelling.ts';

describe('edit distance', () => {
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
    expect(editDistance(first, second)).toBe(slips);
    expect(editDistance(second, first)).toBe(slips);
  });
});

it('lists exactly the words one edit away', () => {
  for (const edit of singleEdits('maple')) expect(editDistance('maple', edit)).toBe(1);
  expect(singleEdits('maple')).toEqual(
    expect.arrayContaining(['mapel', 'aple', 'mapple', 'mople', 'maples']),
  );
  expect(singleEdits('maple')).not.toContain('maple');
});

it('never treats numbers or short words as misspelt', () => {
  expect(['oak', '78701', '2car', 'maple'].map(mayBeMisspelt)).toEqual([false, false, false, true]);
});

it('prefers fewer edits, then the same first letter, then the more frequent word', () => {
  expect(likelyCorrections('mapel', ['papel', 'mabel', 'maple', 'chapel'])).toEqual([
    'mabel',
    'maple',
    'papel',
  ]);
  expect(likelyCorrections('savana', ['savannah', 'cabana'])).toEqual(['savannah', 'cabana']);
  expect(likelyCorrections('hous', ['houses', 'mouse'])).toEqual([]);
});
