import { expect, test } from 'vitest';
import { groupDigits, ungroupDigits } from './money-digits.ts';

test.each([
  ['615000', '615,000'],
  ['999', '999'],
  ['1234567.5', '1,234,567.5'],
  ['1,234', '1,234'],
  ['$ 2000', '2,000'],
  ['-1000', '-1,000'],
  ['', ''],
  ['six hundred', 'six hundred'],
  ['12e9', '12e9'],
])('groups %j as %j', (typed, shown) => {
  expect(groupDigits(typed)).toBe(shown);
});

test('ungrouping reverses grouping', () => {
  expect(ungroupDigits(groupDigits('98765432.10'))).toBe('98765432.10');
});
