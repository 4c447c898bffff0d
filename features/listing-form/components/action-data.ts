import type { ActionData } from '#ui/action-data.ts';
import type { FormField, ListingForm } from '../form.ts';
import type { StoredDraft } from '../form-mapping.ts';

/** Action data of a submission that was refused, with everything that was typed. */
export interface ListingFormActionData extends ActionData<FormField, ListingForm> {
  /** the newer draft that another window has saved */
  draft?: StoredDraft;
  /** the session has ended */
  signedOut?: boolean;
}

/** Messages for saving a property; the wording of the first four is fixed by the specification. */
export const saveMessages = {
  submitted: 'Property submitted for approval',
  failed: 'Failed to save property',
  signedOut: 'No authenticated user',
  updated: 'Property updated',
  submittedBefore: 'This property was already submitted. Open it in My Properties to change it.',
  photosLeftTitle: 'This property was already submitted',
  outdated: 'This change is no longer possible. Please reload the page.',
} as const;

/** Said after a submission whose property was approved meanwhile, without the photos of this page. */
export const photosLeftText = (count: number): string =>
  `${count === 1 ? '1 photo of this page was' : `${count} photos of this page were`} not added to it. Open it in My Properties to add photos.`;
