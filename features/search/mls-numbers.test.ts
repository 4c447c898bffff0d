import { expect, it } from 'vitest';
import { mlsNumberIn } from './mls-numbers.ts';

it.each([
  ['20114477', '20114477'],
  ['ML81234567', 'ml81234567'],
  ['#20114477', '20114477'],
  ['MLS 123', '123'],
  ['mls# R-2201', 'r-2201'],
  ['MLS No. 40332', '40332'],
  ['home with mls number: 40332', '40332'],
])('%s', (text, number) => expect(mlsNumberIn(text)).toBe(number));

it.each(['boise', '12 main st', '1234', 'mls', 'mls boise', 'b2', ''])('none in %j', (text) =>
  expect(mlsNumberIn(text)).toBeNull(),
);
