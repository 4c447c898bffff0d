import { describe, expect, it } from 'vitest';
import { area, bathrooms, degrees, hiddenCharacter, oneLine, priceCents, wholeNumber } from './cells.ts';

const notPositive = { wrong: 'Price must be a number greater than 0.' };

describe('prices (B-103)', () => {
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
  ])('%s is %i cents', (cell, value) => expect(priceCents(cell)).toEqual({ value }));

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
  ])('%s is refused', (cell) => expect(priceCents(cell)).toEqual(notPositive));
  it('more than the highest price is refused with that price', () => {
    const wrong = { wrong: 'Price must be at most $999,999,999.99.' };
    expect(priceCents('1000000000')).toEqual(wrong);
    expect(priceCents('999999999999999.99')).toEqual(wrong);
  });
  it.each(['', '  ', '\t'])('"%s" is blank', (cell) => expect(priceCents(cell)).toEqual({ blank: true }));
});

describe('numbers', () => {
  it.each([
    ['3', { value: 3 }],
    ['3.0', { value: 3 }],
    ['0', { value: 0 }],
    ['-0', { value: 0 }],
    ['', { blank: true }],
    ['99', { value: 99 }],
    ['100', { wrong: 'not between 0 and 99' }],
    ['-1', { wrong: 'not between 0 and 99' }],
    ['3.5', { wrong: 'not a whole number' }],
    ['three', { wrong: 'not a number' }],
    ['Infinity', { wrong: 'not a number' }],
    ['0x10', { wrong: 'not a number' }],
  ])('bedrooms %s', (cell, expected) => expect(wholeNumber(cell, 0, 99)).toEqual(expected));

  it.each([
    ['2,332', { value: 2332 }],
    ['2332.456', { value: 2332.46 }],
    ['10000001', { wrong: 'not between 0 and 10,000,000' }],
  ])('square feet %s', (cell, expected) => expect(area(cell, 10_000_000)).toEqual(expected));

  it.each([
    ['2', { value: { full: 2, half: 0, rounded: false } }],
    ['2.5', { value: { full: 2, half: 1, rounded: false } }],
    ['0.5', { value: { full: 0, half: 1, rounded: false } }],
    ['1.75', { value: { full: 1, half: 1, rounded: true } }],
    ['2.3', { wrong: 'not whole or half bathrooms' }],
    ['', { blank: true }],
    ['100', { wrong: 'not between 0 and 99.75' }],
  ])('bathrooms %s (B-036)', (cell, expected) => expect(bathrooms(cell)).toEqual(expected));

  it.each([
    ['43.689546', { value: 43.689546 }],
    ['-72.301533', { value: -72.301533 }],
    ['90', { value: 90 }],
    ['90.000001', { wrong: 'not between -90 and 90' }],
    ['43°41', { wrong: 'not a number' }],
  ])('latitude %s', (cell, expected) => expect(degrees(cell, 90)).toEqual(expected));
});

describe('text', () => {
  it.each([
    ['a\0b', 'NUL'],
    ['a\x1b[2Jb', 'U+001B'],
    ['a\u202eb', 'U+202E'],
    ['a\x85b', 'U+0085'],
    ['a\tb\r\nc é 漢', null],
  ])('finds what no text needs in %j', (cell, expected) => expect(hiddenCharacter(cell)).toBe(expected));
  it('is brought to one line', () => expect(oneLine(' 17\tFaraway \n Ln ')).toBe('17 Faraway Ln'));
});
