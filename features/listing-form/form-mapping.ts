import type { EditableColumns, PropertyStatus } from '#features/listings/model.ts';
import { decimalAmount } from '#platform/money.ts';
import { formatAddress } from './address.ts';
import { type ListingForm, sortedIds } from './form.ts';
import { formatPlace, type GeoLocation } from './place.ts';
import type { ListingValues } from './schema.ts';

const text = (value: number | null): string => (value === null ? '' : String(value));

/** Converts a stored listing to form values. */
export function formFromListing(row: EditableColumns, amenityIds: readonly number[]): ListingForm {
  const { latitude, longitude } = row;
  return {
    title: row.title ?? '',
    price: row.price_cents % 100 ? decimalAmount(row.price_cents) : String(row.price_cents / 100),
    type: text(row.type_id),
    address: formatAddress(row),
    bedrooms: text(row.bedrooms),
    bathrooms: text(row.bathrooms),
    halfBaths: row.half_baths ? String(row.half_baths) : '',
    squareFeet: text(row.square_feet),
    lotSquareFeet: text(row.lot_square_feet),
    yearBuilt: text(row.year_built),
    neighborhood: row.neighborhood ?? '',
    description: row.description,
    place:
      latitude === null || longitude === null
        ? ''
        : formatPlace({ latitude, longitude, precision: row.location_precision ?? 'rooftop' }),
    amenities: sortedIds(amenityIds.map(String)),
  };
}

/** Converts form values to columns; `place` is the resolved location, or null if unknown. */
export function columnsFromValues(values: ListingValues, place: GeoLocation | null): EditableColumns {
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
    neighborhood: values.neighborhood,
    description: values.description,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    location_precision: place?.precision ?? null,
  };
}

/** A draft as used by the form. */
export interface StoredDraft {
  id: string;
  /** incremented on every save */
  version: number;
  form: ListingForm;
  /** ISO, UTC */
  savedAt: string;
}

/** The listing being edited. */
export interface EditedListing {
  id: string;
  status: PropertyStatus;
  /** the administrators' note when they sent it back */
  reviewNote: string | null;
  form: ListingForm;
}

/** Options of the form; ids as strings, like the form values. */
export interface FormChoices {
  types: { id: string; name: string }[];
  amenities: { id: string; name: string }[];
}

/** A seller as an administrator chooses one. */
export interface SellerChoice {
  id: string;
  name: string;
  email: string;
  suspended: boolean;
}
