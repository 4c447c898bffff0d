import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { emptyImage, heavyImage, heicImage, MAX_BYTES } from './limits.ts';
import { type ImageKind, type ImageLimits, ImageRefused } from './port.ts';

/** 60 megapixels where a decoder reads row by row. */
export const MAX_PIXELS = 60_000_000;
/** Progressive JPEG keeps 6 bytes a pixel until its last row is read, AVIF about 19: 250 MB each at these sizes. */
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
/** GIF and AVIF are taken where nothing narrower is asked for, but not advertised. */
const EVERY_KIND: readonly ImageKind[] = ['jpeg', 'png', 'webp', 'avif', 'gif'];
const COMMON_KINDS: readonly ImageKind[] = ['jpeg', 'png', 'webp'];

/** How pictures are opened everywhere: first frame only, no more pixels than allowed, and no guessing at damage. */
export const OPENING = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const;

/** What a file says of itself: stored width and height in pixels, and how it is to be turned (EXIF 1–8). */
export type ImageClaim = { width: number; height: number; orientation: number };

/**
 * Looks at a file before its pixels are decoded: weight, kind by content, and the dimensions that it claims.
 *
 * @throws ImageRefused
 */
export async function inspectImage(bytes: Uint8Array, limits: ImageLimits = {}): Promise<ImageClaim> {
  const { maxBytes = MAX_BYTES, accept = EVERY_KIND } = limits;
  if (bytes.length === 0) throw emptyImage();
  if (bytes.length > maxBytes) throw heavyImage(maxBytes);
  const kind = await kindOf(bytes, accept);
  const {
    format,
    width,
    height,
    orientation = 1,
    isProgressive,
  } = await sharp(bytes, OPENING).metadata().catch(refuseUnreadable);
  // The decoder looks for itself: it must see the same kind as the gate did.
  if ((format === 'heif' ? 'avif' : format) !== kind) throw unsupported(accept);
  const gradual = kind === 'jpeg' && isProgressive;
  const maxPixels = kind === 'avif' ? MAX_PIXELS_AVIF : gradual ? MAX_PIXELS_PROGRESSIVE : MAX_PIXELS;
  if (width * height > maxPixels) throw tooManyPixels(maxPixels);
  return { width, height, orientation };
}

async function kindOf(bytes: Uint8Array, accept: readonly ImageKind[]): Promise<ImageKind> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (type?.mime.startsWith('image/hei')) throw heicImage();
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

/** The refusal that a failure of the decoder amounts to. */
export function refuseUnreadable(error: unknown): never {
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
