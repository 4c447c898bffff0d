/** Owner of photos: a listing, or the draft of one that is not submitted yet. */
export type PhotoOwner = { propertyId: string } | { draftId: string };

/** Maximum number of photos per listing. */
export const MAX_PHOTOS = 50;
export const CAPTION_LIMIT = 200;
export const ALT_LIMIT = 300;
/** Concurrent uploads per page. */
export const MAX_CONCURRENT_UPLOADS = 3;

/** A photo as its seller sees it; `width` and `height` in pixels, `widths` are the stored sizes. */
export interface Photo {
  id: string;
  /** identifies the picture's files */
  imageId: string;
  isMain: boolean;
  /** sort key of the additional photos; there may be gaps */
  position: number;
  caption: string;
  alt: string;
  width: number;
  height: number;
  widths: number[];
  /** tiny preview as a data URI */
  placeholder: string;
}

/** A photo that did not reach the server, though it may yet: its file's name, and why. */
export interface FailedUpload {
  key: string;
  name: string;
  problem: string;
  retry: () => void;
  remove: () => void;
}

/** A photo that was not accepted, for good: its file's name, and why. */
export type RefusedUpload = Pick<FailedUpload, 'key' | 'name' | 'problem'>;

/** What the form around the photos has to know of them: whether they are being uploaded or changed, and which are missing. */
export interface UploadsState {
  busy: boolean;
  failed: readonly FailedUpload[];
  refused: readonly RefusedUpload[];
}
export const noUploads: UploadsState = { busy: false, failed: [], refused: [] };

export type PhotoTexts = Pick<Photo, 'caption' | 'alt'>;

/**
 * Why a change was refused. `sold`: the listing is sold; `full`: it has the maximum number of photos; `twice`: it
 * already has the same file; `picture`: the file is not a usable picture; `too_long`: a text is; `newer`: somebody else
 * changed the texts since they were loaded.
 */
export type PhotoRefusal = 'sold' | 'full' | 'twice' | 'picture' | 'too_long' | 'newer';

export type PhotoResult = { ok: true } | { ok: false; reason: PhotoRefusal; text: string };

/** Response of the photo endpoints: the new state, or an error message for the user. */
export type PhotosResponse =
  | { photos: Photo[]; photo?: string; draftId?: string }
  | { error: string; reason?: PhotoRefusal };
