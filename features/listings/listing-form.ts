import { groupDigits, ungroupDigits } from '#ui/money-digits.ts';
import { isLocated } from './form/place.ts';

/** The texts of the seller's form, as they are typed (S0 §5). */
export const textFields = [
  'title',
  'price',
  'type',
  'address',
  'bedrooms',
  'bathrooms',
  'squareFeet',
  'halfBaths',
  'yearBuilt',
  'lotSquareFeet',
  'description',
  'place',
] as const;
export type TextField = (typeof textFields)[number];

/**
 * The form as it stands in the page, in a draft and in a request. `type` is the id of a property type; `place` is
 * '45.70000,-121.50000 pin', or empty where nobody knows where the property lies; `amenities` are ids in ascending order.
 */
export type ListingForm = Record<TextField, string> & { amenities: string[] };
export type FormField = keyof ListingForm;

export const formFields: readonly FormField[] = [...textFields, 'amenities'];

export const blankForm: ListingForm = {
  ...(Object.fromEntries(textFields.map((name) => [name, ''])) as Record<TextField, string>),
  amenities: [],
};

/** The longest texts (B-104); the form shows them as counters. */
export const limits = { title: 120, address: 200, description: 10_000 } as const;
/** No field of ours holds more; a draft is not a place to keep books in. */
const MOST_CHARACTERS = 20_000;
const MOST_AMENITIES = 200;

// What no text needs and a database cannot keep: control characters but tab and line ends, and the marks that turn the
// reading direction.
const hidden = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const cleaned = (value: unknown): string =>
  typeof value === 'string'
    ? value.slice(0, MOST_CHARACTERS).replace(/\r\n?/g, '\n').toWellFormed().replace(hidden, '')
    : '';

/** '$615,000' → '615000', so that grouping alone is no change; what is no amount stays as it was typed. */
function plainPrice(typed: string): string {
  const plain = ungroupDigits(typed);
  return groupDigits(plain) === typed.trim().replace(/^\$\s*/, '') ? plain : typed;
}

/** Reads a form from anything: a missing or strange field is blank. */
export function readForm(given: unknown): ListingForm {
  const from = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const form = { ...blankForm };
  for (const name of textFields) form[name] = cleaned(from[name]);
  form.price = plainPrice(form.price);
  if (!isLocated(form.place)) form.place = '';
  const chosen = Array.isArray(from.amenities) ? from.amenities : [];
  form.amenities = sortedIds(chosen.filter((id): id is string => /^\d{1,5}$/.test(String(id))).map(String));
  return form;
}

/** The fields that a form of the browser sent. */
export const formOfData = (data: FormData): ListingForm =>
  readForm({
    ...Object.fromEntries(textFields.map((name) => [name, data.get(name)])),
    amenities: data.getAll('amenities'),
  });

export const sortedIds = (ids: readonly string[]): string[] =>
  [...new Set(ids)].slice(0, MOST_AMENITIES).sort((a, b) => Number(a) - Number(b));

/** True when both say the same in a field. */
export const sameField = (name: FormField, a: ListingForm, b: ListingForm): boolean =>
  name === 'amenities' ? a.amenities.join() === b.amenities.join() : a[name] === b[name];

export const changedFields = (from: ListingForm, to: ListingForm): FormField[] =>
  formFields.filter((name) => !sameField(name, from, to));

export const isBlank = (form: ListingForm): boolean => changedFields(blankForm, form).length === 0;
