/** A file to store. `sha256` is the hexadecimal digest of `body`; it is compared before anything is written. */
export type PutFile = {
  key: string;
  body: Uint8Array;
  contentType: string;
  sha256: string;
  cacheControl?: string;
  /** Refuse with `conflict` when the key exists already. */
  ifAbsent?: boolean;
};

/** `size` in bytes; `sha256` hexadecimal, absent for files that another program put there. */
export type FileFacts = { size: number; contentType: string; sha256?: string };

/** `body` is to be read to its end or cancelled; `total` is the size of the whole file in bytes. */
export type OpenFile = { body: ReadableStream<Uint8Array>; contentType: string; total: number };

/** First and last byte, both included; without `end` to the end of the file. An `end` behind the last byte is cut. */
export type ByteRange = { start: number; end?: number };

/**
 * Keeps files by key. A key is a path such as `images/3f2a/640.webp`: see `checkedKey`. A file appears whole or not at
 * all. Every implementation throws `FileStoreError` and nothing else.
 */
export interface FileStore {
  /** Writes or replaces. `etag` changes with the content. */
  put(file: PutFile): Promise<{ etag: string }>;
  head(key: string): Promise<FileFacts | null>;
  /** Throws `range` when `start` lies behind the last byte. */
  get(key: string, range?: ByteRange): Promise<OpenFile | null>;
  /** Quiet when there is nothing to delete. */
  delete(key: string): Promise<void>;
  /**
   * Keys that begin with `prefix`, in ASCII order, behind `after`, at most `limit` (1–1000, default 1000). `next` is
   * the `after` of the next page.
   */
  list(prefix: string, page?: { after?: string; limit?: number }): Promise<{ keys: string[]; next?: string }>;
  /** A link that opens this one file until `ttlSeconds` (1 s to 7 days) from now, as a download if it has a name. */
  readUrl(key: string, options: { ttlSeconds: number; downloadName?: string }): Promise<string>;
  /** Resolves when files can be read and written now; used at start and by readiness checks. */
  check(): Promise<void>;
}

/**
 * `invalid`: key, type, digest, range or lifetime is wrong; `conflict`: the key is taken; `range`: nothing lies at that
 * position; `auth`: the store does not accept our credentials; `refused`: it says no for another reason, such as a
 * missing bucket; `unavailable`: it does not answer, or cannot write.
 */
export type FileStoreErrorCode = 'invalid' | 'conflict' | 'range' | 'auth' | 'refused' | 'unavailable';

/** What a file store throws. `retryable` tells whether the same call can succeed later. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';
  readonly code: FileStoreErrorCode;
  readonly retryable: boolean;

  constructor(code: FileStoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryable = code === 'unavailable';
  }
}
