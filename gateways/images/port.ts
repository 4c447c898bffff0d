export type ImageFormat = 'webp' | 'avif';

/** What may be uploaded, told by the content of the file and never by its name. */
export type ImageKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';

/** One rendition; `width` and `height` in pixels. */
export type ImageVariant = { width: number; height: number; format: ImageFormat; bytes: Uint8Array };

/**
 * An accepted picture. `width` and `height` are those of the upload, upright; `placeholder` is a tiny picture as a data
 * URI of at most 300 characters; `sha256` is the hexadecimal digest of the uploaded bytes, to recognise repeats.
 */
export type ProcessedImage = {
  width: number;
  height: number;
  placeholder: string;
  sha256: string;
  variants: ImageVariant[];
};

/** Narrower limits than the house's own: 15 MB, all kinds (B-101). `maxBytes` in bytes. */
export type ImageLimits = { maxBytes?: number; accept?: readonly ImageKind[] };

/** Turns an upload into the renditions that we serve. @throws ImageRefused */
export type ImageProcessor = (bytes: Uint8Array, limits?: ImageLimits) => Promise<ProcessedImage>;

/** Why a file is no picture for us. */
export type RefusalReason = 'empty' | 'too-heavy' | 'heic' | 'unsupported' | 'too-many-pixels' | 'damaged';

/** Nothing was stored; `message` is a sentence for the person who chose the file. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
