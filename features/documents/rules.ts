import { hasRole, nobody } from '#platform/access.ts';
import { formatCount } from '#platform/format-count.ts';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import {
  type DocumentType,
  MAX_ADDED_DOCUMENTS,
  MAX_DOCUMENT_BYTES,
  MAX_SALE_FILES,
  MAX_SALE_FORM_BYTES,
} from './model.ts';

/** Administrators add documents and read all of them. */
export const mayManageDocuments = hasRole('admin');
/** Scanning again is done by a scheduled job only. */
export const mayScanDocuments = nobody;

/** Why a file is not accepted. */
export const documentRefusals = {
  empty: 'This file is empty.',
  too_large: `This file is too large: a document can have at most ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB.`,
  format: 'This is no PDF or Word document. Accepted are .pdf, .doc and .docx.',
  infected: 'This file was refused: the virus scanner reports malware in it.',
} as const;

/** Why the files of a sale's form are not accepted. */
export const saleFileRefusals = {
  none: 'Please choose at least one file.',
  too_many: `Please choose at most ${MAX_SALE_FILES} files.`,
  too_large_together: `These files are too large: together they can have at most ${MAX_SALE_FORM_BYTES / 1024 / 1024} MB.`,
  too_many_added: `You can add at most ${MAX_ADDED_DOCUMENTS} documents to a sale.`,
} as const;

/** What administrators add to a property; the other types are made by us. */
export const uploadableTypes = [
  'Deed',
  'Survey',
  'Title report',
  'Disclosure',
  'Contract',
  'Receipt',
  'Proof of ownership',
  'Other',
] as const satisfies readonly DocumentType[];

/** Whether documents of this type are of a seller alone, and never had a property. */
export const isOfNoProperty = (type: string): boolean => type === 'Seller statement';

/** What is wrong with the form that adds a document, by its field. */
export type UploadErrors = Partial<Record<'file' | 'type' | 'confirm', string>>;

export const uploadRefusals = {
  noFile: 'Choose a file.',
  noType: 'Choose a type.',
  notConfirmed: 'Confirm that anyone may read this file, or keep it private.',
  /** @param name the document's */
  known: (name: string) => `This file is already the latest version of ‘${name}’.`,
} as const;

/** Texts about documents that more than one page has. */
export const documentMessages = {
  failedDocuments: 'Failed to load documents',
  failedTokens: 'Failed to load NFTs',
  noDocumentData: 'No document data returned',
  noTokenData: 'No NFT data returned',
  noDocuments: 'No documents found',
  noTokens: 'No NFTs found',
  chooseProperty: 'Select a property to manage its NFTs',
  unknownProperty: 'Unknown property',
  unnamedToken: 'Unnamed NFT',
  failedUpload: 'The document could not be uploaded. Please try again.',
  heldNotRegistered: 'This document waits for the virus scanner.',
  testNotRegistered: 'A test document is not registered on the chain.',
  erasedNotRegistered: 'The file of this document was deleted, so it is not registered.',
  revokedNotRegistered: 'This document was revoked, so it is not registered.',
  failedRetry: 'It could not be tried again. Please try once more.',
  failedPrivate: 'The document could not be made private. Please try again.',
  failedRegistration: 'The document could not be registered. Please try again.',
  failedRevocation: 'The document could not be revoked. Please try again.',
} as const;

/** Why a document is not revoked. */
export const revocationRefusals = {
  empty: 'Please give a reason.',
  too_long: `A reason can have at most ${formatCount(SHORT_REASON_MAX_LENGTH)} characters.`,
  revoked: 'This document is revoked already.',
} as const;
export type RevocationRefusal = keyof typeof revocationRefusals;
