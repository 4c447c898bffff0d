import type { PropertyStatus } from '#features/listings/model.ts';
import type { ListingEvent } from '#features/listings/transitions.ts';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import {
  changedPropertyFields,
  type PropertyErrors,
  type PropertyForm,
  type SettableStatus,
} from './property-form.ts';
import { type ListingValues, parseListing } from './schema.ts';

/** What administrators are told; the first five are fixed by the specification. */
export const propertyMessages = {
  created: 'Property created successfully',
  updated: 'Property updated successfully',
  surveyUploaded: 'Survey document uploaded successfully',
  failedUpload: 'Failed to upload survey document',
  failedUpdate: 'Failed to update property',
  failedCreate: 'Failed to create property',
  failedLoad: 'Failed to load property details',
  failedSellers: 'Failed to load agents',
  held: 'The survey document can be opened once the virus scanner has answered.',
  newer: 'This record was changed by someone else',
  sellerRequired: 'Choose a seller from the list.',
  sellerUnknown: 'There is no such seller, or the seller is archived.',
  reasonRequired: 'Give a reason for the new status. The seller gets it by email.',
  reasonTooLong: `The reason must be at most ${SHORT_REASON_MAX_LENGTH} characters.`,
  statusUnknown: 'Choose a status from the list.',
  addedBefore: 'You already added a property with this address, perhaps in another tab.',
  addedAsPending:
    'Listings need a verified ownership before they go live. Add this one as Pending, and its seller can upload the proof.',
  liveSale: 'A sale of this property is in progress or completed, so this cannot be changed.',
} as const;

/** What a buyer agreed to, and who sells it: it stays while a sale lives. */
export const FIXED_BY_SALE = ['price', 'type', 'address', 'place', 'seller', 'status'] as const;

/** The event by which an administrator sets a status. */
export const eventForStatus: Record<SettableStatus, ListingEvent> = {
  Active: 'set_active',
  pending: 'set_pending',
  escrow: 'set_escrow',
  Sold: 'set_sold',
};

interface CheckedForm {
  form: PropertyForm;
  /** as stored; null for a new property */
  stored: PropertyForm | null;
  reason: string;
  statuses: readonly PropertyStatus[];
  /** of the current calendar year */
  year: number;
}

type Checked = { ok: true; values: ListingValues } | { ok: false; errors: PropertyErrors };

/** The rules of the form that need no database, the same in the browser and on the server. */
export function checkPropertyForm({ form, stored, reason, statuses, year }: CheckedForm): Checked {
  const parsed = parseListing(form, year, 'admin');
  const errors: PropertyErrors = parsed.ok ? {} : { ...parsed.errors };
  if (form.seller === '') errors.seller = propertyMessages.sellerRequired;
  const statusChanges = stored !== null && changedPropertyFields(stored, form).includes('status');
  if ((stored === null || statusChanges) && !statuses.some((known) => known === form.status))
    errors.status = propertyMessages.statusUnknown;
  if (statusChanges && reason.trim() === '') errors.reason = propertyMessages.reasonRequired;
  if (reason.trim().length > SHORT_REASON_MAX_LENGTH) errors.reason = propertyMessages.reasonTooLong;
  return parsed.ok && Object.keys(errors).length === 0
    ? { ok: true, values: parsed.values }
    : { ok: false, errors };
}
