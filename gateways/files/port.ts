/** A file to store. `sha256` is the hexadecimal digest of `body`; it is verified before anything is written. */
export type PutFile = {
  key: string;
  body: Uint8Array;
  contentType: string;
  sha256: string;
  cacheControl?: string;
  /** Fail with `conflict` when the key already exists. */
  ifAbsent?: boolean;
};

/** `size` in bytes; `sha256` hexadecimal, absent for files that another program stored. */
export type FileMetadata = { size: number; contentType: string; sha256?: string };

/** `body` must be read to the end or cancelled; `total` is the size of the whole file in bytes. */
export type OpenFile = { body: ReadableStream<Uint8Array>; contentType: string; total: number };

/** First and last byte, both inclusive; without `end`, to the end of the file. An `end` beyond the last byte is clamped. */
export type ByteRange = { start: number; end?: number };

/**
 * Stores files by key. A key is a path such as `images/3f2a/640.webp`: see `checkedKey`. Writes are atomic. Every
 * implementation throws `FileStoreError` and nothing else.
 */
export interface FileStore {
  /** Writes or replaces. `etag` changes with the content. */
  put(file: PutFile): Promise<{ etag: string }>;
  head(key: string): Promise<FileMetadata | null>;
  /** Throws `range` when `start` is beyond the last byte. */
  get(key: string, range?: ByteRange): Promise<OpenFile | null>;
  /** Does nothing when the key does not exist. */
  delete(key: string): Promise<void>;
  /**
   * Keys that start with `prefix`, in ASCII order, following `after`, at most `limit` (1–1000, default 1000). `next` is
   * the `after` of the next page.
   */
  list(prefix: string, page?: { after?: string; limit?: number }): Promise<{ keys: string[]; next?: string }>;
  /** A link to this one file that is valid for `ttlSeconds` (1 s to 7 days); a download when `downloadName` is given. */
  readUrl(key: string, options: { ttlSeconds: number; downloadName?: string }): Promise<string>;
  /** Resolves when files can be read and written; used at startup and by readiness checks. */
  check(): Promise<void>;
}

/**
 * `invalid`: key, type, digest, range or lifetime is wrong; `conflict`: the key is taken; `range`: the position is beyond
 * the end; `auth`: the store rejects our credentials; `refused`: it rejects the request for another reason, such as a
 * missing bucket; `unavailable`: it does not respond or cannot write.
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
