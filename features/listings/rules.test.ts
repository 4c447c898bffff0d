import { describe, expect, it } from 'vitest';
import { parseArea, parsePriceCents } from './rules.ts';

const notPositive = { wrong: 'Price must be a number greater than 0.' };

describe('prices', () => {
  it.each([
    ['461900', 46_190_000],
    ['1,250,000', 125_000_000],
    ['$950000.50', 95_000_050],
    [' $ 1,250,000.00 ', 125_000_000],
    ['0.01', 1],
    ['12.5', 1_250],
    ['999,999,999.99', 99_999_999_999],
    ['123456.780000', 12_345_678],
    ['0.29', 29],
    ['1.10', 110],
  ])('%s is %i cents', (cell, value) => expect(parsePriceCents(cell)).toEqual({ value }));

  it.each([
    '0',
    '0.00',
    '-5',
    'abc',
    '1e99',
    '12.345',
    '1.250.000',
    '12,50',
    '1,2,3',
    '=1+1',
    'NaN',
    '£5',
    '5.',
  ])('%s is refused', (cell) => expect(parsePriceCents(cell)).toEqual(notPositive));
  it('rejects more than the highest price', () => {
    const wrong = { wrong: 'Price must be at most $999,999,999.99.' };
    expect(parsePriceCents('1000000000')).toEqual(wrong);
    expect(parsePriceCents('999999999999999.99')).toEqual(wrong);
  });
  it.each(['', '  ', '\t'])('"%s" is blank', (cell) =>
    expect(parsePriceCents(cell)).toEqual({ blank: true }),
  );
});

it.each([
  ['2,332', { value: 2332 }],
  ['2332.456', { value: 2332.46 }],
  ['10000001', { wrong: 'not between 0 and 10,000,000' }],
])('square feet %s', (cell, expected) => expect(parseArea(cell, 10_000_000)).toEqual(expected));
