import { expect, it } from 'vitest';
import { filterChips } from './filter-chips.ts';

it('names each filter, with what its removal changes', () => {
  const labels = (query: Parameters<typeof filterChips>[0]) => filterChips(query).map(({ label }) => label);
  expect(labels({})).toEqual([]);
  expect(
    labels({
      min: 200_000,
      max: 400_000,
      beds: 3,
      baths: 2,
      'sqft-min': '1200',
      'sqft-max': '2,400',
      'lot-min': '0.5 acres',
      'year-min': 1990,
      'year-max': 2020,
      amenity: ['garage', 'moat', 'constructor'],
      keywords: 'wide porch',
    }),
  ).toEqual([
    '$200,000 to $400,000',
    '3+ beds',
    '2+ baths',
    '1,200 to 2,400 sqft',
    'Lot from 0.5 acres',
    'Built 1990 to 2020',
    'Garage',
    '“wide porch”',
  ]);
  expect(labels({ max: 400_000, 'lot-max': '43560', 'year-max': 1950 })).toEqual([
    'Up to $400,000',
    'Lot up to 43,560 sqft',
    'Built by 1950',
  ]);
  expect(labels({ min: 'x' as never, 'sqft-min': 'big', beds: 0 })).toEqual([]);
  expect(filterChips({ amenity: ['pool', 'garage'] })[0]?.without).toEqual({ amenity: ['garage'] });
});
