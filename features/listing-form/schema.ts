import { z } from 'zod';
import { parseArea, parsePriceCents } from '#features/listings/rules.ts';
import { cutText } from '#platform/cut-text.ts';
import { type Cell, oneLine, parseWholeNumber } from '#platform/typed-text.ts';
import { type AddressParts, parseAddress } from './address.ts';
import { type FormField, type ListingForm, maxLengths } from './form.ts';
import { type GeoLocation, parsePlace } from './place.ts';

/** Parsed values of a valid form. Prices in integer cents, areas in square feet. */
export interface ListingValues {
  title: string;
  priceCents: number;
  /** null only where an administrator left it blank; so are the next three */
  typeId: number | null;
  address: AddressParts;
  bedrooms: number | null;
  bathrooms: number | null;
  halfBaths: number;
  squareFeet: number | null;
  yearBuilt: number | null;
  lotSquareFeet: number | null;
  /** null: not known */
  neighborhood: string | null;
  description: string;
  amenityIds: number[];
  place: GeoLocation | null;
}

/** Whose form it is: administrators may leave blank what is not known, and without a title the address is the title. */
type FormAuthor = 'seller' | 'admin';

export type FormErrors = Partial<Record<FormField, string>>;

/** An optional text parsed into a value; blank gives the `required` message, or null where that is null. */
const optionalField = <T>(
  required: string | null,
  parseCell: (text: string) => Cell<T>,
  wrong: string | null,
) =>
  z.string().transform((text, context): T | null => {
    const cell = parseCell(text);
    if ('value' in cell) return cell.value;
    const message = 'blank' in cell ? required : (wrong ?? cell.wrong);
    if (message === null) return null;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
/** A required text parsed into a value. */
const requiredField = <T>(required: string, parseCell: (text: string) => Cell<T>, wrong: string | null) =>
  optionalField(required, parseCell, wrong).transform((value) => value as T);
const wholeNumberIn = (min: number, max: number) => (text: string) => parseWholeNumber(text, min, max);
const squareFeet = (max: number) => (text: string) => parseArea(text, max);

/** The title of a seller's form, and that of an administrator's, which may be blank. */
const titles = {
  seller: z.string().min(2, 'Title must be at least 2 characters.'),
  admin: z.string().refine((title) => title.length !== 1, 'Title must be at least 2 characters.'),
};

/**
 * Validation rules of the form, used by the browser and the server.
 * @param year the current calendar year; a building may be completed up to three years from now
 */
const listingSchema = (year: number, author: FormAuthor) => {
  const sellersField = <T>(required: string, parseCell: (text: string) => Cell<T>, wrong: string) =>
    optionalField(author === 'seller' ? required : null, parseCell, wrong);
  return z.object({
    title: z
      .string()
      .transform(oneLine)
      .pipe(titles[author])
      .pipe(z.string().max(maxLengths.title, `Title must be at most ${maxLengths.title} characters.`)),
    price: requiredField('Price is required.', parsePriceCents, null),
    type: sellersField('Property type is required.', wholeNumberIn(1, 32_767), 'Property type is required.'),
    address: z
      .string()
      .transform(oneLine)
      .pipe(
        z
          .string()
          .min(5, 'Address must be at least 5 characters.')
          .max(maxLengths.address, `Address must be at most ${maxLengths.address} characters.`),
      ),
    bedrooms: sellersField(
      'Number of bedrooms is required.',
      wholeNumberIn(0, 99),
      'Bedrooms must be a whole number from 0 to 99.',
    ),
    bathrooms: sellersField(
      'Number of bathrooms is required.',
      wholeNumberIn(0, 99),
      'Bathrooms must be a whole number from 0 to 99.',
    ),
    squareFeet: sellersField(
      'Square footage is required.',
      squareFeet(10_000_000),
      'Square feet must be a number from 0 to 10,000,000.',
    ),
    halfBaths: optionalField(
      null,
      wholeNumberIn(0, 99),
      'Half bathrooms must be a whole number from 0 to 99.',
    ),
    yearBuilt: optionalField(
      null,
      wholeNumberIn(1600, year + 3),
      `Year built must be a year from 1600 to ${year + 3}.`,
    ),
    lotSquareFeet: optionalField(
      null,
      squareFeet(999_999_999_999),
      'Lot size must be a number from 0 to 999,999,999,999.',
    ),
    neighborhood: z
      .string()
      .transform(oneLine)
      .pipe(
        z
          .string()
          .max(
            maxLengths.neighborhood,
            `Neighborhood must be at most ${maxLengths.neighborhood} characters.`,
          ),
      )
      .transform((name) => name || null),
    description: z
      .string()
      .trim()
      .min(10, 'Description must be at least 10 characters.')
      .max(maxLengths.description, 'Description must be at most 10,000 characters.'),
    amenities: z.array(z.string()),
    place: z.string(),
  });
};

/** The parsed values, or the first error of each invalid field. */
export function parseListing(
  form: ListingForm,
  year: number,
  author: FormAuthor = 'seller',
): { ok: true; values: ListingValues } | { ok: false; errors: FormErrors } {
  const parsed = listingSchema(year, author).safeParse(form);
  if (!parsed.success) {
    const errors: FormErrors = {};
    for (const { path, message } of parsed.error.issues) errors[path[0] as FormField] ??= message;
    return { ok: false, errors };
  }
  const { title, price, type, address, halfBaths, amenities, place, ...rest } = parsed.data;
  const parts = parseAddress(address);
  return {
    ok: true,
    values: {
      ...rest,
      title: title || cutText(parts.address, maxLengths.title),
      priceCents: price,
      typeId: type,
      address: parts,
      halfBaths: halfBaths ?? 0,
      amenityIds: amenities.map(Number),
      place: parsePlace(place),
    },
  };
}

/** What can be read of a form that need not be complete. Units as in `ListingValues`. */
export interface UnfinishedValues {
  /** as typed, so possibly empty or too short; so is the description */
  title: string;
  /** null for what is missing or wrong; so are the numbers below */
  priceCents: number | null;
  typeId: number | null;
  address: AddressParts;
  bedrooms: number | null;
  bathrooms: number | null;
  halfBaths: number | null;
  squareFeet: number | null;
  yearBuilt: number | null;
  lotSquareFeet: number | null;
  neighborhood: string;
  description: string;
  amenityIds: number[];
  place: GeoLocation | null;
}

/** Reads a seller's form field by field, with the message of each that is missing or wrong. */
export function readUnfinished(
  form: ListingForm,
  year: number,
): { values: UnfinishedValues; errors: FormErrors } {
  const { shape } = listingSchema(year, 'seller');
  const errors: FormErrors = {};
  const read = <T>(name: FormField, field: z.ZodType<T>): T | null => {
    const parsed = field.safeParse(form[name]);
    if (parsed.success) return parsed.data;
    errors[name] = parsed.error.issues[0]?.message ?? '';
    return null;
  };
  return {
    values: {
      title: read('title', shape.title) ?? oneLine(form.title),
      priceCents: read('price', shape.price),
      typeId: read('type', shape.type),
      address: parseAddress(read('address', shape.address) ?? oneLine(form.address)),
      bedrooms: read('bedrooms', shape.bedrooms),
      bathrooms: read('bathrooms', shape.bathrooms),
      halfBaths: read('halfBaths', shape.halfBaths),
      squareFeet: read('squareFeet', shape.squareFeet),
      yearBuilt: read('yearBuilt', shape.yearBuilt),
      lotSquareFeet: read('lotSquareFeet', shape.lotSquareFeet),
      neighborhood: read('neighborhood', shape.neighborhood) ?? '',
      description: read('description', shape.description) ?? form.description.trim(),
      amenityIds: form.amenities.map(Number),
      place: parsePlace(form.place),
    },
    errors,
  };
}
