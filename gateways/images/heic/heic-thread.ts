import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { largestSize } from '../sources.ts';
import { pngWithProfile } from './png-profile.ts';
import { HeicProblem, readPixels } from './read-pixels.ts';

/** What the thread is given: the file and the limits of `readPixels`. */
export type HeicRequest = { file: Uint8Array; limits: { pixels: number; memory: number } };

/** What it answers: a PNG no larger than any rendition and the full size in pixels, or why there is none. */
export type HeicResponse =
  | { width: number; height: number; png: Uint8Array }
  | { refused: HeicProblem['reason'] };

/** Decodes one file; the thread ends after it. */
async function decode({ file, limits }: HeicRequest): Promise<HeicResponse> {
  try {
    const { width, height, channels, pixels, profile } = readPixels(file, limits);
    const raw = { width, height, channels };
    // Scaled down here, so that the full picture is in memory once.
    const png = await sharp(pixels, { raw, limitInputPixels: limits.pixels })
      .resize({ ...largestSize(raw), fit: 'fill' })
      .png({ compressionLevel: 0 })
      .toBuffer();
    return { width, height, png: profile ? pngWithProfile(png, profile) : new Uint8Array(png) };
  } catch (error) {
    if (error instanceof HeicProblem) return { refused: error.reason };
    // The decoder gave up: out of its memory, or out of bounds.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
      return { refused: 'damaged' };
    throw error;
  }
}

parentPort?.postMessage(await decode(workerData as HeicRequest));
