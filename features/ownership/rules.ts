import { mayList } from '#features/listings/rules.ts';
import { hasRole, nobody } from '#platform/access.ts';
import { DAY } from '#platform/durations.ts';
import { oneLine, visibleText } from '#platform/typed-text.ts';
import type { ProofErrors } from './model.ts';

/** Sellers prove the ownership of their own listings; a suspended one has read-only access. */
export const mayProveOwnership = mayList;
/** Only administrators see proofs of others and decide about them. */
export const mayDecideOwnership = hasRole('admin');
/** Old proofs are erased by a scheduled job only. */
export const mayEraseProofs = nobody;

/** How long the document of a proof is kept that was refused, withdrawn or replaced. */
export const PROOF_RETENTION_MS = 90 * DAY;

/** Longest texts, in characters. */
export const OWNER_MAX_LENGTH = 120;
export const PARCEL_MAX_LENGTH = 60;
export const NOTE_MAX_LENGTH = 1000;
export const REASON_MAX_LENGTH = 1000;

interface TypedProof {
  ownerName: string;
  parcelNumber: string;
  note: string;
}

type Reading = { ok: true; values: TypedProof } | { ok: false; errors: ProofErrors };

/** What a seller typed about a proof, in the form in which it is stored, or what is wrong with it. */
export function readTypedProof(typed: TypedProof): Reading {
  const values = {
    ownerName: oneLine(visibleText(typed.ownerName)),
    parcelNumber: oneLine(visibleText(typed.parcelNumber)),
    note: visibleText(typed.note).trim(),
  };
  const errors: ProofErrors = {};
  if (values.ownerName === '') errors.ownerName = 'Please enter the name of the owner as in the deed.';
  else if (values.ownerName.length > OWNER_MAX_LENGTH)
    errors.ownerName = `The name can have at most ${OWNER_MAX_LENGTH} characters.`;
  if (values.parcelNumber === '') errors.parcelNumber = 'Please enter the parcel number.';
  else if (values.parcelNumber.length > PARCEL_MAX_LENGTH)
    errors.parcelNumber = `The parcel number can have at most ${PARCEL_MAX_LENGTH} characters.`;
  if (values.note.length > NOTE_MAX_LENGTH)
    errors.note = `The note can have at most ${NOTE_MAX_LENGTH} characters.`;
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, values };
}

/** Why a proof is refused, as its seller reads it, or what is wrong with the typed text. */
export function readReason(typed: string): { ok: true; reason: string } | { ok: false; error: string } {
  const reason = visibleText(typed).trim();
  if (reason === '') return { ok: false, error: 'Please write why, so that the seller knows what to do.' };
  if (reason.length > REASON_MAX_LENGTH)
    return { ok: false, error: `The reason can have at most ${REASON_MAX_LENGTH} characters.` };
  return { ok: true, reason };
}

/** Messages of commands and toasts. */
export const ownershipMessages = {
  noDocument: 'Choose the document that proves the ownership.',
  verifiedAlready: 'The ownership of this property is verified already.',
  sold: 'This property is sold, so its ownership is no longer verified here.',
  uploaded: 'Proof of ownership uploaded',
  uploadedText: 'You are notified when an administrator has decided.',
  heldText: 'The document is checked for viruses first. You are notified when an administrator has decided.',
  uploadFailed: 'The proof could not be uploaded. Please try again.',
  notSent: 'The proof could not be sent. Please check your connection and try again.',
  verified: 'Ownership verified',
  refused: 'Proof of ownership refused',
  sellerNotified: 'The seller was notified.',
  notDecided: 'Nothing was decided',
  decideFailed: 'The decision could not be saved. Please try again.',
  changed: 'The listing has changed since you opened the proof. Please compare it again.',
  held: 'The virus scanner has not released the document yet, so it cannot be verified.',
} as const;
