import type { ContentProvider } from '#gateways/content/port.ts';

/** What is published, of one content address. */
export type PinStatus = 'waiting' | 'pinned' | 'failed' | 'unpinning' | 'unpin_failed' | 'unpinned';

/** What the metadata of a token is called as a file. */
export const METADATA_FILE = 'metadata.json';

/** The largest test document, in bytes. */
export const MAX_TEST_BYTES = 1024 * 1024;

/** A document, or the metadata of a token, that could not be published, or no longer published; the time is ISO, UTC. */
export interface FailedPin {
  cid: string;
  /** `pin`: it is not published; `unpin`: it still is, although no public document has this content */
  kind: 'pin' | 'unpin';
  /** a document with this content; null when there is none */
  document: { id: string; name: string; propertyId: string | null } | null;
  /** the metadata of a token has this content */
  isMetadata: boolean;
  reason: string;
  failedAt: string;
}

/** The store of public content and what is in it, without test documents. */
export interface StorageStatus {
  /** null: none is configured */
  provider: ContentProvider | null;
  /** with {cid} */
  gateway: string;
  profile: string;
  pinned: { count: number; bytes: number };
  /** documents that are published or no longer published within minutes */
  waiting: number;
  /** ISO, UTC */
  lastPinAt: string | null;
  /** the latest, at most 50, and how many there are */
  failed: FailedPin[];
  failedCount: number;
  /** why no test documents can be added here, or null */
  testsRefused: string | null;
}

/** A document that was published for a trial; the time is ISO, UTC. */
export interface TestDocument {
  id: string;
  name: string;
  bytes: number;
  /** as we have computed it; the store gave it the same when the status is `pinned` */
  cid: string;
  status: PinStatus;
  reason: string | null;
  /** its address at the gateway, once it is published */
  link: string | null;
  createdAt: string;
}

/** What a trial of the store found; the times are milliseconds. */
export type RoundTripResult =
  | { ok: true; cid: string; bytes: number; addMs: number; getMs: number; removeMs: number }
  | { ok: false; reason: 'not_configured' | 'failed'; text: string };

export type AddTestDocumentResult =
  | { ok: true; document: TestDocument }
  | {
      ok: false;
      reason: 'not_configured' | 'not_allowed' | 'empty' | 'too_large' | 'format' | 'infected';
      text: string;
    };

/** Whether a test document comes back from the store as it was. */
export type CheckTestDocumentResult =
  | { ok: true; bytes: number; milliseconds: number }
  | { ok: false; reason: 'not_configured' | 'failed'; text: string };

/** The gateway as administrators edit it. */
export interface SavedGateway {
  /** null: the derived one */
  gateway: string | null;
  /** what holds while none is set */
  derived: string;
}

export type SaveGatewayResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; error: string }
  /** somebody else has changed it since; nothing was changed */
  | { ok: false; reason: 'newer'; current: SavedGateway };
