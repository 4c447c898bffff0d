import { expect, it } from 'vitest';
import { decimalAmount, dollarsAndCents, wholeDollars } from './money.ts';

it('formats cents as dollars', () => {
  expect([0, 49, 50, 593_600_00].map(wholeDollars)).toEqual(['$0', '$0', '$1', '$593,600']);
  expect([0, 5, 593_600_00].map(dollarsAndCents)).toEqual(['$0.00', '$0.05', '$593,600.00']);
});

it('writes cents as plain decimals', () => {
  expect([0, 5, 593_600_00, 99_999_999_999].map(decimalAmount)).toEqual([
    '0.00',
    '0.05',
    '593600.00',
    '999999999.99',
  ]);
});
