/** The stores for public content that can be configured. */
const contentProviders = ['local', 'kubo', 'pinata'] as const;
export type ContentProvider = (typeof contentProviders)[number];

/**
 * Keeps files under their content address, for everyone to fetch: nothing private is given to it. Every implementation throws
 * `ContentStoreError` and nothing else.
 */
export interface ContentStore {
  readonly provider: ContentProvider;
  /**
   * Adds a file and keeps it (pins it); adding what is there already changes nothing.
   * @param name what the store calls it in its own lists
   * @returns the address that the store gave it, which the caller compares with its own
   */
  add(bytes: Uint8Array, name: string): Promise<{ cid: string }>;
  /** The file, or null when this store does not have it. */
  get(cid: string): Promise<Uint8Array | null>;
  /** Whether the store keeps the file. Others may have copies of what it no longer keeps. */
  has(cid: string): Promise<boolean>;
  /** Stops keeping a file; does nothing when it is not there. */
  remove(cid: string): Promise<void>;
  /** Resolves when the store answers and accepts our credentials. */
  check(): Promise<void>;
}

/** `auth`: the store rejects our credentials; `refused`: it rejects the request for another reason; `unavailable`: no usable answer. */
type ContentStoreErrorCode = 'auth' | 'refused' | 'unavailable';

/** What a content store throws. `retryable` tells whether the same call can succeed later. */
export class ContentStoreError extends Error {
  override readonly name = 'ContentStoreError';
  readonly code: ContentStoreErrorCode;
  readonly retryable: boolean;

  constructor(code: ContentStoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryable = code === 'unavailable';
  }
}
