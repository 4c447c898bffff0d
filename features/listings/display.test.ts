import { describe, expect, it } from 'vitest';
import { areaFact, cardFacts } from './display.ts';

const house = { bedrooms: 3, bathrooms: 2, halfBaths: 1, squareFeet: 1_840, lotSquareFeet: 8_000 };

describe('the area of a listing', () => {
  it('is the living area, where there is one', () => {
    expect(cardFacts(house)).toEqual(['3 bd', '2.5 ba', '1,840 sqft']);
  });

  it('of a house without one is never its lot, unless called so', () => {
    expect(cardFacts({ ...house, squareFeet: null })).toEqual(['3 bd', '2.5 ba', '8,000 sqft lot']);
    expect(areaFact({ squareFeet: 0, lotSquareFeet: null })).toBe('');
  });

  it('of land is the lot', () => {
    const land = { bedrooms: 0, bathrooms: null, halfBaths: 0, squareFeet: null, lotSquareFeet: 43_560 };
    expect(cardFacts(land)).toEqual(['43,560 sqft lot']);
  });
});
