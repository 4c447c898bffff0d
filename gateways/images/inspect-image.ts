import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { MAX_IMAGE_BYTES } from './limits.ts';
import type { ImageKind, ImageLimits } from './port.ts';
import {
  ACCEPTED_KINDS,
  damagedImageError,
  emptyImageError,
  imageTooLargeError,
  tooManyPixels,
  unsupportedImageError,
} from './refusals.ts';

/** 60 megapixels for formats that are decoded row by row. */
const MAX_PIXELS = 60_000_000;
/** Progressive JPEG needs 6 bytes per pixel until its last row is read: 250 MB at this size. */
const MAX_PIXELS_PROGRESSIVE = 40_000_000;

const KINDS: Readonly<Record<string, ImageKind>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heic',
  'image/heic-sequence': 'heic',
  'image/heif-sequence': 'heic',
};

/** Sharp options for every decode: first frame only, limited pixels, and no attempt to repair damaged files. */
export const SHARP_OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const;

/** What the file header claims: stored width and height in pixels, and the EXIF orientation (1–8). */
type ImageHeader = { width: number; height: number; orientation: number };

/**
 * The kind of a file by its content, if it is accepted.
 * @throws ImageRefused
 */
export async function acceptedKind(
  bytes: Uint8Array,
  { maxBytes = MAX_IMAGE_BYTES, accept = ACCEPTED_KINDS }: ImageLimits = {},
): Promise<ImageKind> {
  if (bytes.length === 0) throw emptyImageError();
  if (bytes.length > maxBytes) throw imageTooLargeError(maxBytes);
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const kind = KINDS[type?.mime ?? ''];
  if (kind === undefined || !accept.includes(kind)) throw unsupportedImageError(accept);
  return kind;
}

/**
 * Reads the header of a file of any kind but HEIC, before its pixels are decoded.
 * @throws ImageRefused
 */
export async function readHeader(bytes: Uint8Array, kind: Exclude<ImageKind, 'heic'>): Promise<ImageHeader> {
  const {
    format,
    width,
    height,
    orientation = 1,
    isProgressive,
  } = await sharp(bytes, SHARP_OPTIONS).metadata().catch(throwDecodeError);
  // The decoder detects the format on its own; it must agree with the check above.
  if (format !== kind) throw unsupportedImageError();
  const maxPixels = kind === 'jpeg' && isProgressive ? MAX_PIXELS_PROGRESSIVE : MAX_PIXELS;
  if (width * height > maxPixels) throw tooManyPixels(maxPixels);
  return { width, height, orientation };
}

/** Converts a decoder failure to an ImageRefused and throws it. */
export function throwDecodeError(error: unknown): never {
  if (/pixel limit/i.test((error as Error).message)) throw tooManyPixels(MAX_PIXELS, error);
  throw damagedImageError(error);
}
