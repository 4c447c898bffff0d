import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';
import type { BoundedCount } from '#platform/counts.ts';
import type { StoredDocument } from './model.ts';

/** Documents and tokens on one page of a list. */
export const REGISTRY_PAGE_SIZE = 25;

/** How far the registration of a document or a token on the chain is. */
export type RegistryStatus = 'pending' | 'confirmed' | 'failed' | 'revoked';

/** The columns by which the list of documents can be sorted. */
export const documentSorts = ['name', 'type', 'date', 'status'] as const;
export type DocumentSort = (typeof documentSorts)[number];

/** The columns by which a list of tokens can be sorted. */
export const tokenSorts = ['token', 'date'] as const;
type TokenSort = (typeof tokenSorts)[number];

/** What a list shows of the property of a document or token. */
export interface PropertyPlace {
  id: string;
  address: string;
  town: string;
}

/** Where a document is registered. */
export interface Registration {
  status: RegistryStatus;
  /** why it failed, or waits */
  reason: string | null;
  network: string | null;
  transactionHash: string | null;
  /** the content address of a file that anyone may read; null for a private one */
  cid: string | null;
}

/** A document in the list of all documents; the time is ISO, UTC. */
export interface RegistryDocument extends Registration {
  id: string;
  name: string;
  type: string;
  createdAt: string;
  /** null for one that belongs to no property */
  property: PropertyPlace | null;
  visibility: 'private' | 'public';
  /** its registration failed on the configured chain, and can be tried again */
  retryable: boolean;
}

export interface DocumentList {
  rows: RegistryDocument[];
  total: BoundedCount;
  page: number;
  pages: number;
}

export interface DocumentListQuery {
  /** words that all occur in the name, the type, the property's address or the seller's name */
  q?: string;
  type?: string | null;
  sort?: { by: DocumentSort; descending: boolean } | null;
  /** from 1; past the end means the last page that can be opened */
  page?: number;
  /** rows on a page; 25 by default */
  size?: number | null;
}

/** A token in a list; the time is ISO, UTC. */
export interface RegistryToken {
  id: string;
  kind: 'property' | 'completion';
  /** empty when its metadata name none */
  name: string;
  /** in decimal digits, since it may exceed what a number holds; null until the chain has given it one */
  tokenId: string | null;
  createdAt: string;
  property: PropertyPlace;
  status: RegistryStatus;
  reason: string | null;
  network: string | null;
  /** null until there is a transaction */
  transactionHash: string | null;
  /** null while it is in the operator's custody */
  recipient: string | null;
  /** the document that it evidences */
  documentName: string | null;
}

export interface TokenList {
  rows: RegistryToken[];
  total: BoundedCount;
  page: number;
  pages: number;
}

export interface TokenListQuery {
  kind: RegistryToken['kind'];
  /** words that all occur in the token's name, its number or the property's address */
  q?: string;
  sort?: { by: TokenSort; descending: boolean } | null;
  page?: number;
  size?: number | null;
}

/** What the cards above the lists say; test documents are left out. */
export interface DocumentTotals {
  documents: BoundedCount;
  /** properties that have documents */
  properties: BoundedCount;
  completionTokens: BoundedCount;
}

/** A property whose documents are managed. Prices in integer cents. */
export interface DocumentsProperty extends PropertyPlace {
  seller: string;
  type: string;
  picture: ListingPicture | null;
  status: PropertyStatus;
  priceCents: number;
  /** its latest sale that was completed */
  sold: { at: string; priceCents: number } | null;
}

/** One version of a document. */
export interface DocumentVersion extends Registration {
  id: string;
  name: string;
  version: number;
  /** SHA-256 of the file, in hexadecimal digits */
  sha256: string;
  byteSize: number;
  scan: StoredDocument['scan'];
  visibility: 'private' | 'public';
  createdAt: string;
  /** its registration was asked for on the configured chain; without one, on any */
  requested: boolean;
  /** what is said of its registration is of another chain than the configured one */
  elsewhere: boolean;
  /** its file was deleted because it is no longer needed */
  erased: boolean;
}

/** The newest version of a document of a property, with those before it, newest first. */
export interface DocumentWithVersions extends DocumentVersion {
  type: string;
  origin: 'uploaded' | 'made';
  uploadedBy: string | null;
  earlier: DocumentVersion[];
}

export interface PropertyDocuments {
  property: DocumentsProperty;
  documents: DocumentWithVersions[];
  total: number;
  page: number;
  pages: number;
  /** the types that its documents have */
  types: string[];
}

/** A property to choose from. */
export interface PropertyChoice {
  id: string;
  address: string;
  town: string;
  seller: string;
}
