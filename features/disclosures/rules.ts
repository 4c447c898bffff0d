import { mayList } from '#features/listings/rules.ts';

/** Sellers upload disclosures of their own listings; a suspended one has read-only access. */
export const mayUploadDisclosures = mayList;

/** Longest name of a document, in characters. */
export const NAME_MAX_LENGTH = 120;

/** Messages of commands and toasts. */
export const disclosureMessages = {
  noFile: 'Choose the document to upload.',
  longName: `The name can have at most ${NAME_MAX_LENGTH} characters.`,
  sold: 'This property is sold, so nothing more is disclosed about it.',
  /** @param name the document's */
  known: (name: string) => `This file is already the latest version of ‘${name}’.`,
  uploaded: 'Disclosure uploaded',
  uploadedText: 'A buyer sees it as soon as a purchase is paid.',
  heldText: 'It is checked for viruses first. After that, a buyer sees it as soon as a purchase is paid.',
  uploadFailed: 'The disclosure could not be uploaded. Please try again.',
  notSent: 'The disclosure could not be sent. Please check your connection and try again.',
} as const;
