import { hasRole, nobody } from '#platform/access.ts';
import { MAX_DOCUMENT_BYTES } from './model.ts';

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
