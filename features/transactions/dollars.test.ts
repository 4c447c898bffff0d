import { expect, it } from 'vitest';
import { typedCents } from './dollars.ts';

it.each([
  ['', 0],
  [' ', 0],
  ['0', 0],
  ['1,250.50', 125_050],
  ['$40', 4_000],
  ['0.5', 50],
  ['999999999.99', 99_999_999_999],
  ['.5', null],
  ['1.005', null],
  ['-3', null],
  ['1e3', null],
  ['forty', null],
  ['9999999999', null],
])('%j is %s', (text, cents) => {
  expect(typedCents(text)).toBe(cents);
});
