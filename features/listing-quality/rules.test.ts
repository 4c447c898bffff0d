import { expect, it } from 'vitest';
import { qualityHints } from './rules.ts';

const picture = { id: 'a', width: 3, height: 2, widths: [3], placeholder: '#fff', alt: '' };
const complete = {
  typeName: 'Single Family',
  pictures: Array.from({ length: 6 }, () => picture),
  description: 'x'.repeat(200),
  squareFeet: 2000,
  lotSquareFeet: 9000,
  yearBuilt: 1990,
  bedrooms: 3,
  bathrooms: 0,
  halfBaths: 1,
  latitude: 45,
  locationPrecision: 'pin' as const,
};
const fields = (more: Partial<Parameters<typeof qualityHints>[0]>) =>
  qualityHints({ ...complete, ...more }).map(({ field }) => field);

it('asks nothing of a complete listing', () => {
  expect(fields({})).toEqual([]);
});

it('asks for what is missing, what buyers miss most first', () => {
  expect(
    fields({
      pictures: [],
      description: ' short ',
      bedrooms: null,
      bathrooms: null,
      halfBaths: 0,
      squareFeet: null,
      yearBuilt: null,
      lotSquareFeet: null,
      latitude: null,
    }),
  ).toEqual([
    'main-photo',
    'description',
    'bedrooms',
    'bathrooms',
    'squareFeet',
    'yearBuilt',
    'lotSquareFeet',
    'address',
  ]);
  expect(fields({ pictures: [picture] })).toEqual(['more-photos']);
  expect(fields({ locationPrecision: 'zip' })).toEqual(['address']);
});

it('asks no rooms of land and shops', () => {
  const none = { bedrooms: null, bathrooms: null, halfBaths: 0, squareFeet: null, yearBuilt: null };
  expect(fields({ ...none, typeName: 'Vacant Lot' })).toEqual([]);
  expect(fields({ ...none, typeName: 'Commercial' })).toEqual(['squareFeet', 'yearBuilt']);
});
