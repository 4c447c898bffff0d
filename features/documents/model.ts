/** The kinds of documents that are registered. */
export const documentTypes = [
  'Deed',
  'Survey',
  'Title report',
  'Disclosure',
  'Contract',
  'Receipt',
  'Settlement statement',
  'Seller statement',
  'Proof of ownership',
  'Other',
] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Who sees a document beside administrators: the buyer, the seller, or both of its sale; `office`: none of them. */
export type DocumentAudience = 'office' | 'buyer' | 'seller' | 'parties';

/** File formats that are accepted, by their contents. */
export type DocumentFormat = 'pdf' | 'doc' | 'docx';

/** The size of a document, at most, in bytes. */
export const MAX_DOCUMENT_BYTES = 25 * 1024 * 1024;

/** A file in the private store that no row names yet. */
export interface StoredDocument {
  key: string;
  name: string;
  contentType: string;
  bytes: number;
  sha256: string;
  /** its content address with the profile of the configuration; a job computes one that is left out */
  cid?: string;
  /** `held`: the scanner did not answer, so it is given to nobody for now; `unchecked`: there is no scanner */
  scan: 'clean' | 'held' | 'unchecked';
}

/** A document of a property; the time is ISO, UTC. */
export interface PropertyDocument {
  id: string;
  name: string;
  version: number;
  scan: StoredDocument['scan'];
  createdAt: string;
}

export type StoreDocumentResult =
  | { ok: true; document: StoredDocument }
  | { ok: false; reason: 'empty' | 'too_large' | 'format' | 'infected'; text: string };
