import type { UploadedFile } from '../files/uploads.ts';

/** Fetches a picture from an address that somebody else wrote. */
export interface RemotePictures {
  /**
   * The file of an address of the web, in a folder of its own until it is removed.
   * @throws PictureNotFetched
   */
  fetch(url: string, signal?: AbortSignal): Promise<UploadedFile>;
}

/** Why a picture was not fetched, in a sentence for its seller. */
export class PictureNotFetched extends Error {
  override readonly name = 'PictureNotFetched';
  /** the same address may give a picture later */
  readonly retryable: boolean;

  constructor(message: string, { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.retryable = retryable;
  }
}
