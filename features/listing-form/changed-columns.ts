import type { EditableColumns } from '#features/listings/model.ts';
import { keysOf } from '#platform/typed-keys.ts';
import type { FormField } from './form.ts';
import { columnsFromValues } from './form-mapping.ts';
import type { GeoLocation } from './place.ts';
import type { ListingValues } from './schema.ts';

const columnsByField: Partial<Record<FormField, readonly (keyof EditableColumns)[]>> = {
  title: ['title'],
  price: ['price_cents'],
  type: ['type_id'],
  address: ['address', 'city', 'state', 'zip'],
  bedrooms: ['bedrooms'],
  bathrooms: ['bathrooms'],
  halfBaths: ['half_baths'],
  squareFeet: ['square_feet'],
  lotSquareFeet: ['lot_square_feet'],
  yearBuilt: ['year_built'],
  neighborhood: ['neighborhood'],
  description: ['description'],
  place: ['latitude', 'longitude', 'location_precision'],
};

/** The fields of the form that are stored in one of these columns. */
export const fieldsOfColumns = (columns: readonly (keyof EditableColumns)[]): FormField[] =>
  keysOf(columnsByField).filter((field) => columnsByField[field]?.some((name) => columns.includes(name)));

/**
 * Only the columns of changed fields; the others keep their stored values at full precision.
 * @param moved the address has changed without a new pin, so that `place` belongs to the new one
 */
export function changedColumns(
  values: ListingValues,
  changed: readonly FormField[],
  place: GeoLocation | null,
  moved: boolean,
): Partial<EditableColumns> {
  const all = columnsFromValues(values, place);
  const names = [...changed, ...(moved ? (['place'] as const) : [])].flatMap(
    (field) => columnsByField[field] ?? [],
  );
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}
