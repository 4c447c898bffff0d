import { z } from 'zod';
import { area, type Cell, oneLine, priceCents, wholeNumber } from '../import/cells.ts';
import { type FormField, type ListingForm, limits } from '../listing-form.ts';
import { type AddressParts, addressParts } from './address.ts';
import { type LocatedAt, placeOf } from './place.ts';

/** What a filled-in form says, as it is stored. Prices in integer cents, areas in square feet. */
export interface ListingValues {
  title: string;
  priceCents: number;
  typeId: number;
  address: AddressParts;
  bedrooms: number;
  bathrooms: number;
  halfBaths: number;
  squareFeet: number;
  yearBuilt: number | null;
  lotSquareFeet: number | null;
  description: string;
  amenityIds: number[];
  place: LocatedAt | null;
}

export type FormErrors = Partial<Record<FormField, string>>;

/** A text that is read as something else; blank is `required`, or nothing where that is null. */
const read = <T>(required: string | null, cellOf: (text: string) => Cell<T>, wrong: string | null) =>
  z.string().transform((text, context): T | null => {
    const cell = cellOf(text);
    if ('value' in cell) return cell.value;
    const message = 'blank' in cell ? required : (wrong ?? cell.wrong);
    if (message === null) return null;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
/** The same where blank is refused, so that there always is a value. */
const needed = <T>(required: string, cellOf: (text: string) => Cell<T>, wrong: string | null) =>
  read(required, cellOf, wrong).transform((value) => value as T);
const whole = (least: number, most: number) => (text: string) => wholeNumber(text, least, most);
const squareFeet = (most: number) => (text: string) => area(text, most);

/**
 * The rules of the form, for the browser and again for the server (S0 §5, B-036, B-037, B-103, B-104).
 * @param year the calendar year; a house may be three years away from being built
 */
export const listingSchema = (year: number) =>
  z.object({
    title: z
      .string()
      .transform(oneLine)
      .pipe(
        z
          .string()
          .min(2, 'Title must be at least 2 characters.')
          .max(limits.title, `Title must be at most ${limits.title} characters.`),
      ),
    price: needed('Price is required.', priceCents, null),
    type: needed('Property type is required.', whole(1, 32_767), 'Property type is required.'),
    address: z
      .string()
      .transform(oneLine)
      .pipe(
        z
          .string()
          .min(5, 'Address must be at least 5 characters.')
          .max(limits.address, `Address must be at most ${limits.address} characters.`),
      ),
    bedrooms: needed(
      'Number of bedrooms is required.',
      whole(0, 99),
      'Bedrooms must be a whole number from 0 to 99.',
    ),
    bathrooms: needed(
      'Number of bathrooms is required.',
      whole(0, 99),
      'Bathrooms must be a whole number from 0 to 99.',
    ),
    squareFeet: needed(
      'Square footage is required.',
      squareFeet(10_000_000),
      'Square feet must be a number from 0 to 10,000,000.',
    ),
    halfBaths: read(null, whole(0, 99), 'Half bathrooms must be a whole number from 0 to 99.'),
    yearBuilt: read(null, whole(1600, year + 3), `Year built must be a year from 1600 to ${year + 3}.`),
    lotSquareFeet: read(
      null,
      squareFeet(999_999_999_999),
      'Lot size must be a number from 0 to 999,999,999,999.',
    ),
    description: z
      .string()
      .trim()
      .min(10, 'Description must be at least 10 characters.')
      .max(limits.description, 'Description must be at most 10,000 characters.'),
    amenities: z.array(z.string()),
    place: z.string(),
  });

/** What the form says, or the first message of each field that cannot be used. */
export function parseListing(
  form: ListingForm,
  year: number,
): { ok: true; values: ListingValues } | { ok: false; errors: FormErrors } {
  const parsed = listingSchema(year).safeParse(form);
  if (!parsed.success) {
    const errors: FormErrors = {};
    for (const { path, message } of parsed.error.issues) errors[path[0] as FormField] ??= message;
    return { ok: false, errors };
  }
  const { price, type, address, halfBaths, amenities, place, ...rest } = parsed.data;
  return {
    ok: true,
    values: {
      ...rest,
      priceCents: price,
      typeId: type,
      address: addressParts(address),
      halfBaths: halfBaths ?? 0,
      amenityIds: amenities.map(Number),
      place: placeOf(place),
    },
  };
}
