type ImageFormat = 'webp' | 'avif';

/** Accepted upload formats, detected from the file's content and never from its name. */
export type ImageKind = 'jpeg' | 'png' | 'webp' | 'heic';

/** One rendition; `width` and `height` in pixels. */
export type ImageVariant = { width: number; height: number; format: ImageFormat; bytes: Uint8Array };

/**
 * An accepted picture. `width` and `height` are those of the upload once upright; `placeholder` is a tiny picture as a
 * data URI of at most 300 characters; `sha256` is the hexadecimal digest of the uploaded bytes, to recognize duplicates.
 */
export type ProcessedImage = {
  width: number;
  height: number;
  placeholder: string;
  sha256: string;
  variants: ImageVariant[];
};

/** Stricter limits than the defaults, which are 15 MB and all formats. */
export type ImageLimits = { maxBytes?: number; accept?: readonly ImageKind[] };

/** Converts an upload to the renditions that we serve. @throws ImageRefused */
export type ImageProcessor = (bytes: Uint8Array, limits?: ImageLimits) => Promise<ProcessedImage>;

/** Why an upload was rejected. */
export type RefusalReason = 'empty' | 'too-heavy' | 'unsupported' | 'too-many-pixels' | 'damaged';

/** The upload was rejected and nothing was stored; `message` is shown to the user. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
