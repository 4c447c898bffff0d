import { describe, expect, it } from 'vitest';
import { areaFact, cardFacts, landSize } from './display.ts';

const house = { bedrooms: 3, bathrooms: 2, halfBaths: 1, squareFeet: 1_840, lotSquareFeet: 8_000 };

describe('the area of a listing', () => {
  it('is the living area, where there is one', () => {
    expect(cardFacts(house)).toEqual(['3 bd', '2.5 ba', '1,840 sqft']);
  });

  it('of a house without one is never its lot, unless called so', () => {
    expect(cardFacts({ ...house, squareFeet: null })).toEqual(['3 bd', '2.5 ba', '0.18 acre lot']);
    expect(areaFact({ squareFeet: 0, lotSquareFeet: null })).toBe('');
  });

  it('of land is the lot', () => {
    const land = { bedrooms: 0, bathrooms: null, halfBaths: 0, squareFeet: null, lotSquareFeet: 43_560 };
    expect(cardFacts(land)).toEqual(['1 acre lot']);
  });

  it('of a small lot is in square feet, since nobody measures it in acres', () => {
    expect(areaFact({ squareFeet: null, lotSquareFeet: 2_400 })).toBe('2,400 sqft lot');
    // Areas have up to two decimals.
    expect(areaFact({ squareFeet: 1_840.5, lotSquareFeet: null })).toBe('1,841 sqft');
    expect(landSize(2_399.6)).toBe('2,400 square feet');
    expect([1_742_400, 43_560, 15_000, 2_400].map(landSize)).toEqual([
      '40 acres',
      '1 acre',
      '0.34 acres',
      '2,400 square feet',
    ]);
  });
});
