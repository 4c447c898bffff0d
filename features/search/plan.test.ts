import { describe, expect, it } from 'vitest';
import { extrapolateTotal, idAtShare, planSearch } from './plan.ts';
import { type SearchStatistics, withCounts } from './search-statistics.ts';
import { filterTerms, noFilter, queryText, type Term } from './terms.ts';

const column = (value: number) => new Float64Array(8_000).fill(value);
const statistics: SearchStatistics = {
  size: 1_000_000,
  sample: {
    type: Float64Array.from(column(2), (_, index) => 1 + (index % 4)),
    price: Float64Array.from(column(0), (_, index) => 10_000_000 + index * 10_000),
    beds: Float64Array.from(column(0), (_, index) => index % 6),
    baths: column(2),
    latitude: Float64Array.from(column(0), (_, index) => 25 + (index % 250) / 10),
    longitude: column(-98),
    size: Float64Array.from(column(0), (_, index) => 600 + index),
    lot: column(8_000),
    year: Float64Array.from(column(0), (_, index) => 1_950 + (index % 70)),
    amenities: Float64Array.from(column(0), (_, index) => index % 4),
    created: Float64Array.from(column(0), (_, index) => 1_700_000_000 + index * 10_000),
  },
};
const newest = { sort: 'newest', first: 0, now: new Date('2026-11-20T12:00:00Z') } as const;
const word = (entries: number): Term => ({ lexemes: ['maple'], beginning: null, entries });

describe('choosing a plan', () => {
  it.each([
    ['a rare word', [word(500)], 'match'],
    ['a common word', [word(300_000)], 'walk'],
    ['everything', [], 'walk'],
  ])('%s', (_, terms, way) => {
    expect(planSearch(statistics, noFilter, terms, newest).way).toBe(way);
  });

  it('queries the index for the rarer word and rechecks the other on the listings', () => {
    const common = { lexemes: [], beginning: 'st', entries: 900_000 };
    const plan = planSearch(statistics, noFilter, [common, word(400)], newest);
    expect(plan).toMatchObject({ way: 'match', query: "('maple')", rest: "('st':*)" });
  });

  it('counts the listings of a type that a word names', () => {
    const [typed] = withCounts(statistics, [{ lexemes: ['single', '=t2'], beginning: null, entries: 500 }]);
    expect(typed?.entries).toBeCloseTo(250_500);
  });

  it('reads only the first part of a long list of index hits', () => {
    const plan = planSearch(statistics, noFilter, [word(7_000)], { ...newest, sort: 'price-up' });
    expect(plan).toMatchObject({ way: 'match', nearest: expect.any(Number) });
  });

  it('counts a small market completely', () => {
    const small = { ...statistics, size: 3_000 };
    expect(planSearch(small, noFilter, [], newest)).toMatchObject({ count: { by: 'share', share: 1 } });
  });

  it('reaches every page of a small market, and a thousand results of a large one', () => {
    const reach = (size: number, entries: number) => {
      const plan = planSearch({ ...statistics, size }, noFilter, [word(entries)], newest);
      return plan.way === 'walk' ? plan.deepestPage * 24 : entries;
    };
    expect(reach(4_000, 4_000)).toBeGreaterThanOrEqual(4_000);
    expect(reach(1_000_000, 60_000)).toBeGreaterThanOrEqual(1_000);
  });
});

it('extrapolates a total only from a large enough sample', () => {
  expect(extrapolateTotal(700, 1)).toEqual({ total: 700, capped: false });
  expect(extrapolateTotal(1_000, 1)).toEqual({ total: 1_000, capped: false });
  expect(extrapolateTotal(1_001, 1)).toEqual({ total: 1_000, capped: true });
  // 1% of 1,000 hits is about ten: 80 cannot be chance, 30 can.
  expect(extrapolateTotal(80, 0.01)).toEqual({ total: 1_000, capped: true });
  expect(extrapolateTotal(30, 0.01)).toBeNull();
});

it('finds the id that bounds a share', () => {
  expect(idAtShare(0.5)).toBe('80000000-0000-0000-0000-000000000000');
  expect(idAtShare(0.001) < idAtShare(0.01)).toBe(true);
  expect(idAtShare(1)).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
});

describe('the index query', () => {
  it('quotes special characters in lexemes', () => {
    expect(queryText([{ lexemes: ["a'b\\c"], beginning: null, entries: 1 }])).toBe("('a''b\\\\c')");
    expect(queryText([])).toBeNull();
  });

  it('uses few classes and squares for any filter', () => {
    const bounds = [0, 1, 999_999, 1_000_000, 45_000_000, 999_999_999, 1_000_000_000, 99_999_999_999];
    for (const priceLow of bounds) {
      for (const priceHigh of bounds.filter((high) => high >= priceLow)) {
        for (const side of [0.001, 0.04, 0.5, 7, 80]) {
          const bbox = { south: 0.01, west: 0.01, north: 0.01 + side, east: 0.01 + side * 2 };
          for (const { lexemes } of filterTerms({ ...noFilter, priceLow, priceHigh, bbox })) {
            expect(lexemes.length).toBeGreaterThan(0);
            // The coarsest grid covers half the globe with thousands of squares; no index query uses that.
            if (side < 80) expect(lexemes.length).toBeLessThanOrEqual(48);
          }
        }
      }
    }
  });
});
