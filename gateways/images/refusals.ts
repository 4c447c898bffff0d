import { type ImageKind, ImageRefused } from './port.ts';

/** The kinds of files that sellers may upload. */
export const ACCEPTED_KINDS: readonly ImageKind[] = ['jpeg', 'png', 'webp', 'heic'];
const NAMES: Readonly<Record<ImageKind, string>> = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP', heic: 'HEIC' };

/** @param accept the kinds that are named instead */
export function unsupportedImageError(accept: readonly ImageKind[] = ACCEPTED_KINDS): ImageRefused {
  const named = ACCEPTED_KINDS.filter((kind) => accept.includes(kind)).map((kind) => NAMES[kind]);
  const last = named.pop();
  const list = named.length > 0 ? `${named.join(', ')} or ${last}` : last;
  return new ImageRefused(
    'unsupported',
    `This file is not a picture we can use. Please choose a ${list} file.`,
  );
}

export const damagedImageError = (cause?: unknown): ImageRefused =>
  new ImageRefused('damaged', 'This picture is damaged or incomplete. Please choose another file.', cause);

/** @param limit in pixels */
export const tooManyPixels = (limit: number, cause?: unknown): ImageRefused =>
  new ImageRefused(
    'too-many-pixels',
    `This picture has too many pixels: at most ${limit / 1_000_000} megapixels are allowed.`,
    cause,
  );

export const emptyImageError = (): ImageRefused => new ImageRefused('empty', 'This file is empty.');

/** @param maxBytes the limit in bytes */
export const imageTooLargeError = (maxBytes: number): ImageRefused =>
  new ImageRefused(
    'too-heavy',
    `This picture is too large: at most ${Math.floor(maxBytes / 1_000_000)} MB are allowed.`,
  );
