import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { emptyImageError, heicImageError, imageTooLargeError, MAX_IMAGE_BYTES } from './limits.ts';
import { type ImageKind, type ImageLimits, ImageRefused } from './port.ts';

/** 60 megapixels for formats that are decoded row by row. */
const MAX_PIXELS = 60_000_000;
/** Progressive JPEG needs 6 bytes per pixel until its last row is read, AVIF about 19: 250 MB each at these sizes. */
const MAX_PIXELS_PROGRESSIVE = 40_000_000;
const MAX_PIXELS_AVIF = 13_000_000;

const KINDS: Readonly<Record<string, ImageKind>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
};
const NAMES: Readonly<Record<ImageKind, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
  gif: 'GIF',
};
/** GIF and AVIF are accepted unless the caller is stricter, but not advertised. */
const EVERY_KIND: readonly ImageKind[] = ['jpeg', 'png', 'webp', 'avif', 'gif'];
const COMMON_KINDS: readonly ImageKind[] = ['jpeg', 'png', 'webp'];

/** Sharp options for every decode: first frame only, limited pixels, and no attempt to repair damaged files. */
export const SHARP_OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const;

/** What the file header claims: stored width and height in pixels, and the EXIF orientation (1–8). */
type ImageHeader = { width: number; height: number; orientation: number };

/**
 * Inspects a file before its pixels are decoded: size, format by content, and claimed dimensions.
 *
 * @throws ImageRefused
 */
export async function inspectImage(bytes: Uint8Array, limits: ImageLimits = {}): Promise<ImageHeader> {
  const { maxBytes = MAX_IMAGE_BYTES, accept = EVERY_KIND } = limits;
  if (bytes.length === 0) throw emptyImageError();
  if (bytes.length > maxBytes) throw imageTooLargeError(maxBytes);
  const kind = await kindOf(bytes, accept);
  const {
    format,
    width,
    height,
    orientation = 1,
    isProgressive,
  } = await sharp(bytes, SHARP_OPTIONS).metadata().catch(throwDecodeError);
  // The decoder detects the format on its own; it must agree with the check above.
  if ((format === 'heif' ? 'avif' : format) !== kind) throw unsupported(accept);
  const progressive = kind === 'jpeg' && isProgressive;
  const maxPixels = kind === 'avif' ? MAX_PIXELS_AVIF : progressive ? MAX_PIXELS_PROGRESSIVE : MAX_PIXELS;
  if (width * height > maxPixels) throw tooManyPixels(maxPixels);
  return { width, height, orientation };
}

async function kindOf(bytes: Uint8Array, accept: readonly ImageKind[]): Promise<ImageKind> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (type?.mime.startsWith('image/hei')) throw heicImageError();
  const kind = KINDS[type?.mime ?? ''];
  if (kind === undefined || !accept.includes(kind)) throw unsupported(accept);
  return kind;
}

function unsupported(accept: readonly ImageKind[]): ImageRefused {
  const named = COMMON_KINDS.filter((kind) => accept.includes(kind)).map((kind) => NAMES[kind]);
  const last = named.pop();
  const list = named.length > 0 ? `${named.join(', ')} or ${last}` : last;
  return new ImageRefused(
    'unsupported',
    `This file is not a picture we can use. Please choose a ${list} file.`,
  );
}

/** Converts a decoder failure to an ImageRefused and throws it. */
export function throwDecodeError(error: unknown): never {
  const { message } = error as Error;
  if (/pixel limit/i.test(message)) throw tooManyPixels(MAX_PIXELS, error);
  throw new ImageRefused(
    'damaged',
    'This picture is damaged or incomplete. Please choose another file.',
    error,
  );
}

function tooManyPixels(limit: number, cause?: unknown): ImageRefused {
  return new ImageRefused(
    'too-many-pixels',
    `This picture has too many pixels: at most ${limit / 1_000_000} megapixels are allowed.`,
    cause,
  );
}
