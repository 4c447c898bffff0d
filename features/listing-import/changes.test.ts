import { expect, it } from 'vitest';
import { applyRow, lockedReason, newListingValues } from './changes.ts';
import type { RowValues } from './rows.ts';

const row: RowValues = {
  type_id: 2,
  price_cents: 100_00,
  address: '1 Main St',
  title: null,
  city: 'Lebanon',
  state: 'NH',
  zip: null,
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
