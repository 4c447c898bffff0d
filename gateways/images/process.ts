import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { inspectImage, OPENING, refuseUnreadable } from './gate.ts';
import { upright } from './orientation.ts';
import type { ImageLimits, ImageVariant, ProcessedImage } from './port.ts';
import { largestSize, variantWidths } from './sources.ts';
import { createTurnstile } from './turnstile.ts';

/** Pixels in memory: 3 bytes each, sRGB. */
type Canvas = { data: Buffer; raw: { width: number; height: number; channels: 3 } };

// One thread for each decoder and encoder, and no cache, keep the process small and leave a core to requests.
sharp.concurrency(1);
sharp.cache(false);

/** A processor stays free for whoever reads pages. */
const inWork = createTurnstile(availableParallelism() > 2 ? 2 : 1);
/** The AVIF encoder takes the most memory by far (130 MB for the largest rendition), so it works for one at a time. */
const atTheAvifEncoder = createTurnstile(1);
/** A picture with more pixels than this is decoded while no other is in work. */
const LARGE_PIXELS = 24_000_000;
const DECODING_SECONDS = 20;

/**
 * Decodes an upload once and makes its renditions from the pixels alone: upright, in sRGB, on white where it was
 * transparent, never enlarged; nothing else of the file survives (position, camera, comments, appended data). At most
 * two pictures are in work at once in a process, one on a machine with two processors; the others wait in the order of
 * their arrival.
 *
 * @throws ImageRefused
 */
export async function processImage(bytes: Uint8Array, limits?: ImageLimits): Promise<ProcessedImage> {
  const { width, height, orientation } = await inspectImage(bytes, limits);
  const size = orientation >= 5 ? { width: height, height: width } : { width, height };
  return inWork(width * height > LARGE_PIXELS ? 2 : 1, async () => {
    const canvas = await decoded(bytes, largestSize(size), orientation);
    const variants: ImageVariant[] = [];
    for (const target of variantWidths(size)) variants.push(...(await renditions(canvas, target)));
    return {
      ...size,
      placeholder: await placeholder(canvas),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      variants,
    };
  });
}

/**
 * The picture at `size` (upright). It is made smaller first and turned afterwards: turning needs all pixels at once, and
 * there are far fewer of them by then.
 */
async function decoded(bytes: Uint8Array, size: { width: number; height: number }, orientation: number) {
  const { width, height } = orientation >= 5 ? { width: size.height, height: size.width } : size;
  const lying = await pixels(
    sharp(bytes, OPENING)
      .resize({ width, height, fit: 'fill' })
      .flatten({ background: '#ffffff' })
      .timeout({ seconds: DECODING_SECONDS }),
  ).catch(refuseUnreadable);
  return orientation === 1 ? lying : pixels(upright(sharp(lying.data, lying), orientation));
}

async function pixels(picture: Sharp): Promise<Canvas> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`Expected 3 channels, got ${info.channels}`);
  return { data, raw: { width: info.width, height: info.height, channels: 3 } };
}

async function renditions({ data, raw }: Canvas, width: number): Promise<ImageVariant[]> {
  const scaled = sharp(data, { raw }).resize({ width });
  const webp = await scaled.clone().webp({ quality: 78 }).toBuffer({ resolveWithObject: true });
  const avif = await atTheAvifEncoder(1, () =>
    scaled.clone().avif({ quality: 52, effort: 1, chromaSubsampling: '4:2:0' }).toBuffer(),
  );
  const { height } = webp.info;
  return [
    { width, height, format: 'webp', bytes: webp.data },
    { width, height, format: 'avif', bytes: avif },
  ];
}

/** 16 pixels on the longer side: about a hundred bytes, enough for the colours to stand where they will appear. */
async function placeholder({ data, raw }: Canvas): Promise<string> {
  const tiny = sharp(data, { raw }).resize({ width: 16, height: 16, fit: 'inside' });
  const bytes = await tiny.webp({ quality: 20, effort: 6 }).toBuffer();
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}
