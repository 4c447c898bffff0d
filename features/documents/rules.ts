import { hasRole, nobody } from '#platform/access.ts';
import { MAX_ADDED_DOCUMENTS, MAX_DOCUMENT_BYTES, MAX_SALE_FILES, MAX_SALE_FORM_BYTES } from './model.ts';

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
