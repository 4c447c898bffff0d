import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { decodeHeic } from './heic/decode-heic.ts';
import { acceptedKind, readHeader, SHARP_OPTIONS, throwDecodeError } from './inspect-image.ts';
import { upright } from './orientation.ts';
import type { ImageLimits, ImageVariant, ProcessedImage } from './port.ts';
import { createSemaphore } from './semaphore.ts';
import { largestSize, variantWidths } from './sources.ts';

/** Raw sRGB pixels, 3 bytes each. */
type Canvas = { data: Buffer; raw: { width: number; height: number; channels: 3 } };

// One thread per decoder and encoder and no cache keep the process small and leave a core for requests.
sharp.concurrency(1);
sharp.cache(false);

/** One core stays free to serve pages. */
const withImageSlot = createSemaphore(availableParallelism() > 2 ? 2 : 1);
/** The AVIF encoder needs by far the most memory (130 MB for the largest rendition), so only one runs at a time. */
const withAvifSlot = createSemaphore(1);
/** A picture with more pixels than this is processed alone. */
const LARGE_PIXELS = 24_000_000;
const ALONE = 2;
const DECODE_TIMEOUT_SECONDS = 20;

/**
 * Decodes an upload once and makes its renditions from the pixels alone: upright, sRGB, transparency on white, never
 * enlarged. Nothing else in the file survives (GPS position, camera, comments, appended data). A process handles at most
 * two pictures at a time, one on a machine with two cores; the others wait in order of arrival.
 *
 * @throws ImageRefused
 */
export async function processImage(bytes: Uint8Array, limits?: ImageLimits): Promise<ProcessedImage> {
  const kind = await acceptedKind(bytes, limits);
  if (kind === 'heic')
    // How large it is shows only in the decoder.
    return withImageSlot(ALONE, async () => {
      const { png, ...size } = await decodeHeic(bytes, { accept: limits?.accept });
      return render(await decodeImage(png, largestSize(size), 1), size, bytes);
    });
  const { width, height, orientation } = await readHeader(bytes, kind);
  const size = orientation >= 5 ? { width: height, height: width } : { width, height };
  return withImageSlot(width * height > LARGE_PIXELS ? ALONE : 1, async () =>
    render(await decodeImage(bytes, largestSize(size), orientation), size, bytes),
  );
}

/** @param size the full size of the upload in pixels */
async function render(
  canvas: Canvas,
  size: { width: number; height: number },
  upload: Uint8Array,
): Promise<ProcessedImage> {
  const variants: ImageVariant[] = [];
  for (const target of variantWidths(size)) variants.push(...(await renditions(canvas, target)));
  return {
    ...size,
    placeholder: await placeholder(canvas),
    sha256: createHash('sha256').update(upload).digest('hex'),
    variants,
  };
}

/**
 * The upright picture at `size`. It is scaled down before it is rotated: rotating needs all pixels in memory at once.
 */
async function decodeImage(bytes: Uint8Array, size: { width: number; height: number }, orientation: number) {
  const { width, height } = orientation >= 5 ? { width: size.height, height: size.width } : size;
  const unrotated = await pixels(
    sharp(bytes, SHARP_OPTIONS)
      .resize({ width, height, fit: 'fill' })
      .flatten({ background: '#ffffff' })
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS }),
  ).catch(throwDecodeError);
  return orientation === 1 ? unrotated : pixels(upright(sharp(unrotated.data, unrotated), orientation));
}

async function pixels(picture: Sharp): Promise<Canvas> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`Expected 3 channels, got ${info.channels}`);
  return { data, raw: { width: info.width, height: info.height, channels: 3 } };
}

async function renditions({ data, raw }: Canvas, width: number): Promise<ImageVariant[]> {
  const scaled = sharp(data, { raw }).resize({ width });
  const webp = await scaled.clone().webp({ quality: 78 }).toBuffer({ resolveWithObject: true });
  const avif = await withAvifSlot(1, () =>
    scaled.clone().avif({ quality: 52, effort: 1, chromaSubsampling: '4:2:0' }).toBuffer(),
  );
  const { height } = webp.info;
  return [
    { width, height, format: 'webp', bytes: webp.data },
    { width, height, format: 'avif', bytes: avif },
  ];
}

/** 16 pixels on the longer side: about a hundred bytes, enough to preview the colors. */
async function placeholder({ data, raw }: Canvas): Promise<string> {
  const tiny = sharp(data, { raw }).resize({ width: 16, height: 16, fit: 'inside' });
  const bytes = await tiny.webp({ quality: 20, effort: 6 }).toBuffer();
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}
