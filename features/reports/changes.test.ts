import { expect, test } from 'vitest';
import { changeInWords } from './changes.ts';

test.each([
  [112, 100, '+12% against the week before'],
  [95.5, 100, '−4.5% against the week before'],
  [1_000, 3, '+33,233% against the week before'],
  [-50, -100, '+50% against the week before'],
  [-100, 100, '−200% against the week before'],
  [100_001, 100_000, 'About the same as in the week before'],
  [7, 7, 'The same as in the week before'],
  [0, 7, '−100% against the week before'],
  [7, 0, 'None in the week before'],
  [7, null, 'None in the week before'],
  [0, 0, 'None in the week before either'],
])('%j after %j: %s', (value, before, words) => {
  expect(changeInWords(value, before, 'the week before')).toBe(words);
});
