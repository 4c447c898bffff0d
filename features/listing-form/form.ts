import { visibleText } from '#platform/typed-text.ts';
import { groupDigits, ungroupDigits } from '#ui/money-digits.ts';
import { isPlace } from './place.ts';

/** The text fields of the seller's form. */
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
  'neighborhood',
  'description',
  'place',
] as const;
export type TextField = (typeof textFields)[number];

/**
 * The form in the page, in a draft and in a request. `type` is the id of a property type; `place` is
 * '45.70000,-121.50000 pin', or empty if unknown; `amenities` are ids in ascending order.
 */
export type ListingForm = Record<TextField, string> & { amenities: string[] };
export type FormField = keyof ListingForm;

export const formFields: readonly FormField[] = [...textFields, 'amenities'];

export const blankForm: ListingForm = {
  ...(Object.fromEntries(textFields.map((name) => [name, ''])) as Record<TextField, string>),
  amenities: [],
};

/** Maximum lengths, shown as counters in the form. */
export const maxLengths = { title: 120, address: 200, neighborhood: 100, description: 10_000 } as const;
/** Limits the size of a stored draft. */
const MAX_CHARACTERS = 20_000;
const MAX_AMENITIES = 200;

const cleaned = (value: unknown): string =>
  typeof value === 'string' ? visibleText(value.slice(0, MAX_CHARACTERS)) : '';

/** '$615,000' → '615000', so that grouping alone is no change; anything else stays as typed. */
function plainPrice(typed: string): string {
  const plain = ungroupDigits(typed);
  return groupDigits(plain) === typed.trim().replace(/^\$\s*/, '') ? plain : typed;
}

/** Builds a form from untrusted input: missing or invalid fields are blank. */
export function sanitizeForm(given: unknown): ListingForm {
  const from = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const form = { ...blankForm };
  for (const name of textFields) form[name] = cleaned(from[name]);
  form.price = plainPrice(form.price);
  if (!isPlace(form.place)) form.place = '';
  const chosen = Array.isArray(from.amenities) ? from.amenities : [];
  form.amenities = sortedIds(chosen.filter((id): id is string => /^\d{1,5}$/.test(String(id))).map(String));
  return form;
}

/** Builds a form from submitted form data. */
export const formFromData = (data: FormData): ListingForm =>
  sanitizeForm({
    ...Object.fromEntries(textFields.map((name) => [name, data.get(name)])),
    amenities: data.getAll('amenities'),
  });

export const sortedIds = (ids: readonly string[]): string[] =>
  [...new Set(ids)].slice(0, MAX_AMENITIES).sort((a, b) => Number(a) - Number(b));

/** True if a field is equal in both forms. */
export const isSameField = (name: FormField, a: ListingForm, b: ListingForm): boolean =>
  name === 'amenities' ? a.amenities.join() === b.amenities.join() : a[name] === b[name];

export const changedFields = (from: ListingForm, to: ListingForm): FormField[] =>
  formFields.filter((name) => !isSameField(name, from, to));

export const isBlank = (form: ListingForm): boolean => changedFields(blankForm, form).length === 0;
