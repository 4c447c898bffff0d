import type { PropertyStatus } from '#features/listings/model.ts';
import { fixedWhileBought } from '#features/listings/rules.ts';
import { keysOf } from '#platform/typed-keys.ts';
import type { FieldName } from './fields.ts';
import { centerOfZip } from './places.ts';
import type { RowValues } from './rows.ts';

/** The columns written by an import. */
export interface StoredValues {
  type_id: number | null;
  price_cents: number;
  address: string;
  title: string | null;
  city: string;
  state: string;
  zip: string;
  neighborhood: string | null;
  mls_name: string | null;
  mls_number: string | null;
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

const blankValues: Omit<StoredValues, keyof Pick<RowValues, 'price_cents' | 'address' | 'type_id'>> = {
  title: null,
  city: '',
  state: '',
  zip: '',
  neighborhood: null,
  mls_name: null,
  mls_number: null,
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

export const storedColumns = ['type_id', 'price_cents', 'address', ...keysOf(blankValues)] as const;

/** The stored values of a new row. Coordinates from a file are assumed to be of the building itself; without any, the center of the ZIP code. */
export function newListingValues(row: RowValues): StoredValues {
  const { type_id, price_cents, address } = row;
  return applyRow({ ...blankValues, type_id, price_cents, address }, row).after;
}

/**
 * Applies a row to a listing and lists the changed columns. Blank cells keep the stored value, so that a title
 * written by the seller or geocoded coordinates are not lost.
 */
export function applyRow(
  before: StoredValues,
  row: RowValues,
): { after: StoredValues; changed: (keyof StoredValues)[] } {
  const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return compare(before, { ...before, ...given });
}

/** Applies a row of another source to a listing of the same home: what is blank in the listing is filled, nothing else changes. */
export function mergeRow(
  before: StoredValues,
  row: RowValues,
): { after: StoredValues; changed: (keyof StoredValues)[] } {
  const missing = Object.entries(row).filter(([name, value]) => {
    const stored = before[name as keyof StoredValues];
    // Half bathrooms are 0 where nothing is known of any.
    const isBlank =
      name === 'half_baths'
        ? before.bathrooms === null
        : stored === null || stored === '' || (isPoint(name) && isRough(before));
    return value !== null && isBlank;
  });
  return compare(before, { ...before, ...Object.fromEntries(missing) });
}

const isPoint = (name: string) => name === 'latitude' || name === 'longitude';
const isPlace = (name: string) => isPoint(name) || name === 'location_precision';
const isRough = ({ location_precision: precision }: StoredValues) =>
  precision === 'zip' || precision === 'zip3' || precision === 'city';

/** Whether a row changes nothing, or nothing but the place, and that only to the center of the ZIP code. */
export const isOnlyPlaced = (row: RowValues, changed: readonly (keyof StoredValues)[]): boolean =>
  (changed.length === 0 || row.latitude === null) && changed.every(isPlace);

function compare(
  before: StoredValues,
  after: StoredValues,
): { after: StoredValues; changed: (keyof StoredValues)[] } {
  const moved = after.latitude !== before.latitude || after.longitude !== before.longitude;
  if (moved) after.location_precision = 'rooftop';
  const center = after.latitude === null && after.zip !== '' ? centerOfZip(after.zip) : null;
  if (center) Object.assign(after, center, { location_precision: 'zip' });
  const written = Object.fromEntries(
    storedColumns.map((name) => [name, after[name]]),
  ) as unknown as StoredValues;
  return { after: written, changed: storedColumns.filter((name) => written[name] !== before[name]) };
}

/**
 * The field of a row that would change what somebody who is paying for the listing agreed to, or null. A row without coordinates says
 * nothing of the place, which it then gets from its ZIP code.
 */
export function fieldWhileBought(row: RowValues, changed: readonly (keyof StoredValues)[]): FieldName | null {
  const name = fixedWhileBought.find(
    (column) => changed.includes(column) && !(row.latitude === null && isPlace(column)),
  );
  return name ? fieldsOfFixed[name] : null;
}

const fieldsOfFixed: Record<(typeof fixedWhileBought)[number], FieldName> = {
  price_cents: 'price',
  type_id: 'property_type',
  address: 'address',
  city: 'city',
  state: 'state',
  zip: 'zip',
  latitude: 'latitude',
  longitude: 'longitude',
  location_precision: 'coordinates',
};

/** Why an import may not change a listing, or null. */
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
