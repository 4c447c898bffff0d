import { expect, it } from 'vitest';
import { decimalAmount, dollarsAndCents, parseDollars, wholeDollars } from './money.ts';

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

it.each([
  ['0', 0],
  ['495', 495_00],
  ['495.', 495_00],
  ['495.5', 495_50],
  ['495.05', 495_05],
  ['$495.05', 495_05],
  [' $ 1,234.50 ', 1_234_50],
  ['+3', 3_00],
  ['-0', 0],
  ['$-0.00', 0],
  ['1.15', 1_15],
  ['8.41', 8_41],
  ['12,345', 12_345_00],
  ['123,456', 123_456_00],
  ['1000000', 1_000_000_00],
  ['1,000,000.00', 1_000_000_00],
])('%j typed is %i cents', (typed, value) => expect(parseDollars(typed, 1_000_000_00)).toEqual({ value }));

it('nothing typed is no amount', () => {
  for (const typed of ['', '  ', '$', ' $ ']) expect(parseDollars(typed, 100)).toEqual({ blank: true });
});

it.each([
  '9999999999999999',
  '1.234',
  '.5',
  '1,23',
  '1,2345',
  '1.5.5',
  '$$5',
  '1$5',
  '5 $',
  '1e3',
  'five',
  'Infinity',
])('%j is no amount', (typed) =>
  expect(parseDollars(typed, 1_000_000_00)).toEqual({ wrong: 'not an amount' }),
);

it.each(['-1', '-0.01', '1000000.01', '999999999999999', '999,999,999,999,999,999,999'])(
  '%j is not within a million dollars',
  (typed) => expect(parseDollars(typed, 1_000_000_00)).toEqual({ wrong: 'out of range' }),
);
