import { type FormField, formFields, isSameField, type ListingForm } from './form.ts';

interface MergeResult {
  form: ListingForm;
  /** fields changed only by the other side */
  fromTheirs: FormField[];
  /** fields changed differently by both sides; `form` keeps ours */
  conflicting: FormField[];
}

/**
 * Three-way merge of two edits of `base`: each field is taken from the side that changed it. On a conflict ours stays
 * and the page offers the other value, so that nothing is lost.
 */
export function mergeForms(base: ListingForm, mine: ListingForm, theirs: ListingForm): MergeResult {
  const merged: MergeResult = { form: { ...mine }, fromTheirs: [], conflicting: [] };
  for (const name of formFields) {
    if (isSameField(name, mine, theirs) || isSameField(name, base, theirs)) continue;
    if (isSameField(name, base, mine)) {
      merged.form = withField(merged.form, name, theirs);
      merged.fromTheirs.push(name);
    } else merged.conflicting.push(name);
  }
  return merged;
}

/** A copy of the form with one field taken from another. */
export const withField = (form: ListingForm, name: FormField, from: ListingForm): ListingForm => ({
  ...form,
  [name]: from[name],
});
