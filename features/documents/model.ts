/** The kinds of documents that are registered. */
const documentTypes = [
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

/** A document of a sale, as one of its parties sees it; the time is ISO, UTC. */
export interface SaleDocument {
  id: string;
  name: string;
  type: DocumentType;
  version: number;
  bytes: number;
  scan: StoredDocument['scan'];
  /** who added it; `system`: made by us */
  by: 'buyer' | 'seller' | 'admin' | 'system';
  /** the number of a document made by us */
  number: string | null;
  /** withdrawn by an administrator: it no longer counts */
  revoked: boolean;
  createdAt: string;
}

/** What the parties of a sale hand to each other, by the field of the form that takes it. */
export const saleFileFields = {
  deed: 'Deed',
  contract: 'Contract',
  other: 'Other',
} as const satisfies Record<string, DocumentType>;
export type SaleFileField = keyof typeof saleFileFields;

/** How many documents are taken with one form. */
export const MAX_SALE_FILES = 10;
/** How large the documents of one form are together, at most, in bytes. */
export const MAX_SALE_FORM_BYTES = 100 * 1024 * 1024;
/** How many documents one person can add to a sale besides those that deliver it. */
export const MAX_ADDED_DOCUMENTS = 30;

export type StoreDocumentResult =
  | { ok: true; document: StoredDocument }
  | { ok: false; reason: 'empty' | 'too_large' | 'format' | 'infected'; text: string };
