import type { FormErrors } from '../form/schema.ts';
import type { StoredDraft } from '../form/stored.ts';
import type { ListingForm } from '../listing-form.ts';

/** What comes back of a form that was not taken; everything that was typed comes back with it. */
export interface ListingFormAnswer {
  form: ListingForm;
  errors?: FormErrors;
  /** another window has saved since */
  draft?: StoredDraft;
  toast?: string;
  /** the session has ended meanwhile */
  signedOut?: boolean;
}

/** Fixed texts of saving a property, word for word (S0 §8). */
export const saveTexts = {
  submitted: 'Property submitted for approval',
  failed: 'Failed to save property',
  signedOut: 'No authenticated user',
  updated: 'Property updated',
} as const;
