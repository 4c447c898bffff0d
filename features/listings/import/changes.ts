import type { PropertyStatus } from '../model.ts';
import type { RowValues } from './rows.ts';

/** The columns of a listing that an import writes. */
export interface StoredValues {
  type_id: number | null;
  price_cents: number;
  address: string;
  title: string | null;
  city: string;
  state: string;
  zip: string;
  description: string;
  bedrooms: number | null;
  bathrooms: number | null;
  half_baths: number;
  square_feet: number | null;
  lot_square_feet: number | null;
  year_built: number | null;
  latitude: number | null;
  longitude: number | null;
  location_precision: 'pin' | 'rooftop' | 'street' | 'zip' | 'zip3' | 'city' | null;
}

const nothing: Omit<StoredValues, keyof Pick<RowValues, 'price_cents' | 'address' | 'type_id'>> = {
  title: null,
  city: '',
  state: '',
  zip: '',
  description: '',
  bedrooms: null,
  bathrooms: null,
  half_baths: 0,
  square_feet: null,
  lot_square_feet: null,
  year_built: null,
  latitude: null,
  longitude: null,
  location_precision: null,
};

export const storedColumns = [
  'type_id',
  'price_cents',
  'address',
  ...(Object.keys(nothing) as (keyof typeof nothing)[]),
] as const;

/** What is stored of a row that is new. Coordinates of a file are taken for the building's own. */
export function firstValues(row: RowValues): StoredValues {
  const { type_id, price_cents, address } = row;
  return changesOf({ ...nothing, type_id, price_cents, address }, row).after;
}

/**
 * What a row makes of a listing, and which columns that changes. A blank cell says nothing and leaves what is there: a
 * title that the seller wrote or a position that was found since is not lost to a file that never had one.
 */
export function changesOf(
  before: StoredValues,
  row: RowValues,
): { after: StoredValues; changed: (keyof StoredValues)[] } {
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  const after: StoredValues = { ...before, ...said };
  const moved = after.latitude !== before.latitude || after.longitude !== before.longitude;
  if (moved) after.location_precision = 'rooftop';
  const written = Object.fromEntries(
    storedColumns.map((name) => [name, after[name]]),
  ) as unknown as StoredValues;
  return { after: written, changed: storedColumns.filter((name) => written[name] !== before[name]) };
}

/** Why an existing listing may not be changed by an import, or null (B-107). */
export function lockedReason(
  listing: { status: PropertyStatus; deleted_at: Date | null },
  wouldChange: boolean,
): string | null {
  if (listing.deleted_at) return 'The listing was deleted; an import does not bring it back.';
  if (!wouldChange) return null;
  if (listing.status === 'escrow') return 'The listing is in escrow and was not changed.';
  if (listing.status === 'Sold') return 'The listing is sold and was not changed.';
  return null;
}
