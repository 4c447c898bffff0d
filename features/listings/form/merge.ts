import { type FormField, formFields, type ListingForm, sameField } from '../listing-form.ts';

export interface Merged {
  form: ListingForm;
  /** fields that the other one had changed and that were taken from there */
  taken: FormField[];
  /** fields that both had changed to something else; they keep what was typed here */
  both: FormField[];
}

/**
 * Puts two copies of a form together that both went out from `base`: each field is taken from who changed it. Where both
 * did, what was typed here stays, and the page offers the other one's beside it, so that nothing is lost.
 */
export function mergeForms(base: ListingForm, mine: ListingForm, theirs: ListingForm): Merged {
  const merged: Merged = { form: { ...mine }, taken: [], both: [] };
  for (const name of formFields) {
    if (sameField(name, mine, theirs) || sameField(name, base, theirs)) continue;
    if (sameField(name, base, mine)) {
      merged.form = withField(merged.form, name, theirs);
      merged.taken.push(name);
    } else merged.both.push(name);
  }
  return merged;
}

/** The form with one field of another. */
export const withField = (form: ListingForm, name: FormField, from: ListingForm): ListingForm => ({
  ...form,
  [name]: from[name],
});
