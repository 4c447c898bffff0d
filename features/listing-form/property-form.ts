import type { PropertyStatus } from '#features/listings/model.ts';
import { visibleText } from '#platform/typed-text.ts';
import {
  blankForm,
  type FormField,
  formFields,
  formFromData,
  isSameField,
  type ListingForm,
  sanitizeForm,
} from './form.ts';
import { mergeForms } from './merge.ts';

/** What an administrator's form has besides the seller's: ids and stored values, `featured` is '1' or ''. */
export const officeFields = ['seller', 'status', 'featured'] as const;
type OfficeField = (typeof officeFields)[number];

/** The administrators' form of a property. */
export type PropertyForm = ListingForm & Record<OfficeField, string>;
export type PropertyField = FormField | OfficeField;
/** Fields that can be wrong; the reason and the survey document are no part of the property's own state. */
export type PropertyErrors = Partial<Record<PropertyField | 'reason' | 'survey', string>>;

/** The statuses that an administrator sets, in the order of the form; any other stays as it is. */
export const settableStatuses = [
  'Active',
  'pending',
  'Sold',
  'escrow',
] as const satisfies readonly PropertyStatus[];
export type SettableStatus = (typeof settableStatuses)[number];
/** The statuses of a new property. */
export const firstStatuses = ['Active', 'pending'] as const satisfies readonly SettableStatus[];

export const isSettable = (status: string): status is SettableStatus =>
  settableStatuses.some((known) => known === status);

export const blankPropertyForm: PropertyForm = { ...blankForm, seller: '', status: 'Active', featured: '' };

const officeValues = (from: Record<string, unknown>): Record<OfficeField, string> => {
  const short = (value: unknown) => (typeof value === 'string' ? visibleText(value.slice(0, 100)) : '');
  return {
    seller: short(from.seller),
    status: short(from.status),
    featured: from.featured === '1' ? '1' : '',
  };
};

/** Builds a form from untrusted input: missing or invalid fields are blank. */
export function sanitizePropertyForm(given: unknown): PropertyForm {
  const from = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  return { ...sanitizeForm(given), ...officeValues(from) };
}

/** Builds a form from submitted form data. */
export const propertyFormFromData = (data: FormData): PropertyForm => ({
  ...formFromData(data),
  ...officeValues(Object.fromEntries(officeFields.map((name) => [name, data.get(name)]))),
});

const isOffice = (name: PropertyField): name is OfficeField => officeFields.some((known) => known === name);

const isSame = (name: PropertyField, one: PropertyForm, other: PropertyForm): boolean =>
  isOffice(name) ? one[name] === other[name] : isSameField(name, one, other);

/** The fields in which two forms differ. */
export const changedPropertyFields = (from: PropertyForm, to: PropertyForm): PropertyField[] =>
  [...formFields, ...officeFields].filter((name) => !isSame(name, from, to));

interface PropertyMerge {
  form: PropertyForm;
  /** fields that both sides changed, differently; `form` keeps ours */
  conflicting: PropertyField[];
}

/** Three-way merge of two edits of `base`: each field is taken from the side that changed it. */
export function mergePropertyForms(
  base: PropertyForm,
  mine: PropertyForm,
  theirs: PropertyForm,
): PropertyMerge {
  const { form, conflicting } = mergeForms(base, mine, theirs);
  const merged: PropertyMerge = {
    form: { ...mine, ...form, seller: mine.seller, status: mine.status, featured: mine.featured },
    conflicting: [...conflicting],
  };
  for (const name of officeFields) {
    if (isSame(name, mine, theirs) || isSame(name, base, theirs)) continue;
    if (isSame(name, base, mine)) merged.form[name] = theirs[name];
    else merged.conflicting.push(name);
  }
  return merged;
}

/** A copy of the form with one field taken from another. */
export const withPropertyField = (
  form: PropertyForm,
  name: PropertyField,
  from: PropertyForm,
): PropertyForm => ({ ...form, [name]: from[name] });
