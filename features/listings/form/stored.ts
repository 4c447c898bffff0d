import { type ListingForm, sortedIds } from '../listing-form.ts';
import type { PropertyStatus } from '../model.ts';
import { addressLine } from './address.ts';
import { type LocatedAt, placeText } from './place.ts';
import type { ListingValues } from './schema.ts';

/** The columns of a listing that the form shows. */
export const formColumns = [
  'title',
  'price_cents',
  'type_id',
  'address',
  'city',
  'state',
  'zip',
  'bedrooms',
  'bathrooms',
  'half_baths',
  'square_feet',
  'lot_square_feet',
  'year_built',
  'description',
  'latitude',
  'longitude',
  'location_precision',
] as const;

export interface FormRow {
  title: string | null;
  price_cents: number;
  type_id: number | null;
  address: string;
  city: string;
  state: string;
  zip: string;
  bedrooms: number | null;
  bathrooms: number | null;
  half_baths: number;
  square_feet: number | null;
  lot_square_feet: number | null;
  year_built: number | null;
  description: string;
  latitude: number | null;
  longitude: number | null;
  location_precision: LocatedAt['precision'] | null;
}

const text = (value: number | null): string => (value === null ? '' : String(value));

/** A stored listing as the form shows it. */
export function formOfListing(row: FormRow, amenityIds: readonly number[]): ListingForm {
  const { latitude, longitude } = row;
  return {
    title: row.title ?? '',
    price: row.price_cents % 100 ? (row.price_cents / 100).toFixed(2) : String(row.price_cents / 100),
    type: text(row.type_id),
    address: addressLine(row),
    bedrooms: text(row.bedrooms),
    bathrooms: text(row.bathrooms),
    halfBaths: row.half_baths ? String(row.half_baths) : '',
    squareFeet: text(row.square_feet),
    lotSquareFeet: text(row.lot_square_feet),
    yearBuilt: text(row.year_built),
    description: row.description,
    place:
      latitude === null || longitude === null
        ? ''
        : placeText({ latitude, longitude, precision: row.location_precision ?? 'rooftop' }),
    amenities: sortedIds(amenityIds.map(String)),
  };
}

/** What the form says as columns; the place is the one found in the end, or null where nobody knows it. */
export function columnsOf(values: ListingValues, place: LocatedAt | null): FormRow {
  return {
    title: values.title,
    price_cents: values.priceCents,
    type_id: values.typeId,
    ...values.address,
    bedrooms: values.bedrooms,
    bathrooms: values.bathrooms,
    half_baths: values.halfBaths,
    square_feet: values.squareFeet,
    lot_square_feet: values.lotSquareFeet,
    year_built: values.yearBuilt,
    description: values.description,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    location_precision: place?.precision ?? null,
  };
}

/** A draft as the form needs it. */
export interface StoredDraft {
  id: string;
  /** counts up with every saving */
  version: number;
  form: ListingForm;
  /** ISO, UTC */
  savedAt: string;
}

/** What stands on the page beside the form's own texts. */
export interface EditedListing {
  id: string;
  status: PropertyStatus;
  /** what the administrators wrote when they sent it back (B-139) */
  reviewNote: string | null;
  form: ListingForm;
}

/** What can be chosen in the form; ids as texts, as the form holds them. */
export interface FormChoices {
  types: { id: string; name: string }[];
  amenities: { id: string; name: string }[];
}
