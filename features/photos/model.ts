/** A listing, or the draft of one that is not submitted yet: what photographs hang on. */
export type PhotoOwner = { propertyId: string } | { draftId: string };

/** B-101 */
export const MOST_PHOTOS = 50;
export const CAPTION_LIMIT = 200;
export const ALT_LIMIT = 300;
/** Uploads of one page that run at the same time. */
export const AT_ONCE = 3;

/** A photograph as its seller sees it; `width` and `height` in pixels, `widths` those in which it is stored. */
export interface Photo {
  id: string;
  /** names the stored picture's files */
  imageId: string;
  isMain: boolean;
  /** orders those that are not the main one; there may be gaps */
  position: number;
  caption: string;
  alt: string;
  width: number;
  height: number;
  widths: number[];
  /** a tiny picture as a data URI */
  placeholder: string;
}

/**
 * Why photographs stay as they are. `sold`: the listing is closed (B-107); `full`: it has as many as it may have; `twice`:
 * the same file is there already; `picture`: the file is no picture for us; `too_long`: a text is.
 */
export type PhotoRefusal = 'sold' | 'full' | 'twice' | 'picture' | 'too_long';

export type PhotoAnswer = { ok: true } | { ok: false; reason: PhotoRefusal; text: string };

/** What the addresses of photographs answer: the new state, or a sentence for the person. */
export type PhotosSaid =
  | { photos: Photo[]; photo?: string; draftId?: string }
  | { error: string; reason?: PhotoRefusal };
