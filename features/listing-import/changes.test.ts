import { expect, it } from 'vitest';
import { applyRow, lockedReason, mergeRow, newListingValues } from './changes.ts';
import type { RowValues } from './rows.ts';

const row: RowValues = {
  type_id: 2,
  price_cents: 100_00,
  address: '1 Main St',
  title: null,
  city: 'Lebanon',
  state: 'NH',
  zip: null,
  neighborhood: null,
  mls_name: null,
  mls_number: null,
  description: null,
  bedrooms: 3,
  bathrooms: 2,
  half_baths: 1,
  square_feet: 1000,
  lot_square_feet: null,
  year_built: null,
  latitude: 43.5,
  longitude: -72.5,
};

it('fills the blank cells of a new row with defaults', () => {
  expect(newListingValues(row)).toMatchObject({
    zip: '',
    title: null,
    description: '',
    location_precision: 'rooftop',
  });
  const blank = {
    ...row,
    latitude: null,
    longitude: null,
    bathrooms: null,
    half_baths: null,
    city: null,
  };
  expect(newListingValues(blank)).toMatchObject({
    half_baths: 0,
    bathrooms: null,
    city: '',
    location_precision: null,
  });
});

it('the same row changes nothing', () => {
  expect(applyRow(newListingValues(row), row).changed).toEqual([]);
});

it('a blank cell keeps the stored value', () => {
  const before = {
    ...newListingValues(row),
    title: 'Hill House',
    zip: '03766',
    description: 'Words of the seller',
  };
  expect(
    applyRow(before, { ...row, bathrooms: null, half_baths: null, latitude: null, longitude: null }),
  ).toEqual({
    after: before,
    changed: [],
  });
});

it('lists the changed columns; new coordinates reset the precision', () => {
  const before = { ...newListingValues(row), location_precision: 'pin' as const };
  expect(applyRow(before, { ...row, price_cents: 90_00 })).toMatchObject({
    after: { price_cents: 90_00, location_precision: 'pin' },
    changed: ['price_cents'],
  });
  expect(applyRow(before, { ...row, latitude: 43.6 }).changed).toEqual(['latitude', 'location_precision']);
});

it('does not change listings that are deleted, in escrow or sold', () => {
  const at = new Date();
  expect(lockedReason({ status: 'Active', deleted_at: at }, false)).toContain('deleted');
  expect(lockedReason({ status: 'escrow', deleted_at: null }, true)).toContain('escrow');
  expect(lockedReason({ status: 'Sold', deleted_at: null }, true)).toContain('sold');
  expect(lockedReason({ status: 'Sold', deleted_at: null }, false)).toBeNull();
  expect(lockedReason({ status: 'withdrawn', deleted_at: null }, true)).toBeNull();
});

it('without coordinates, a listing is at the center of its ZIP code until a file says more', () => {
  const unplaced = { ...row, zip: '03784', latitude: null, longitude: null };
  const listing = newListingValues(unplaced);
  expect(listing.location_precision).toBe('zip');
  expect(listing.latitude).toBeCloseTo(43.6, 0);
  expect(applyRow(listing, unplaced).changed).toEqual([]);
  expect(applyRow(listing, { ...row, zip: '03784' }).after).toMatchObject({
    latitude: 43.5,
    location_precision: 'rooftop',
  });
});

it('merging fills what is blank and changes nothing else', () => {
  const before = { ...newListingValues({ ...row, bathrooms: null, half_baths: null }), description: 'Ours' };
  const other = {
    ...row,
    price_cents: 1,
    description: 'Theirs',
    year_built: 1990,
    mls_name: 'NEREN',
    latitude: 43.7,
  };
  const { after, changed } = mergeRow(before, other);
  expect(changed.toSorted()).toEqual(['bathrooms', 'half_baths', 'mls_name', 'year_built']);
  expect(after).toMatchObject({ price_cents: 100_00, description: 'Ours', latitude: 43.5, bathrooms: 2 });
});
