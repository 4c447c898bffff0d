/** The largest photo or PDF file that is sent with a message: 15 MB, as for photos of listings. */
export const MAX_FILE_BYTES = 15_000_000;

/** What can be sent. Photos are JPEG, PNG, WebP or HEIC, and stored as WebP. */
export type FileKind = 'photo' | 'pdf';

/** A file as it was uploaded. */
export interface SentFile {
  name: string;
  bytes: Uint8Array;
}

export type SendFileRefusal = 'none' | 'too_large' | 'format' | 'infected' | 'unscanned' | 'damaged';

/** Where the message went, or why nothing was sent; `field` says which field of the form is meant. */
export type SendFileResult =
  | { ok: true; messageId: string }
  | { ok: false; field: 'file' | 'message' | null; text: string };
