import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { projectRoot } from '#platform/project-root.ts';
import type { ImageKind, ImageRefused } from '../port.ts';
import { damagedImageError, tooManyPixels, unsupportedImageError } from '../refusals.ts';
import type { HeicRequest, HeicResponse } from './heic-thread.ts';

/** The largest photographs of telephones have 48 megapixels; the decoder needs about 5 bytes for each. */
const MAX_PIXELS = 50_000_000;
const MAX_MEMORY_BYTES = 400_000_000;
/** Less than the 90 seconds for which deploy/haproxy.cfg waits: a refusal that comes too late would have the file sent again. */
const TIMEOUT_MS = 60_000;

interface HeicOptions {
  /** the kinds that the refusal of another codec names */
  accept?: readonly ImageKind[] | undefined;
  timeoutMs?: number;
  /** bytes that the decoder may use */
  memory?: number;
}

/**
 * Decodes a HEIC file in a thread of its own, which is ended when it takes too long and whose memory is freed with it. The decoder
 * (WebAssembly) is loaded there, so whoever never gets such a file never loads it.
 * @returns the upright picture as PNG, no larger than the largest rendition, and its full size in pixels
 * @throws ImageRefused
 */
export async function decodeHeic(
  file: Uint8Array,
  { accept, timeoutMs = TIMEOUT_MS, memory = MAX_MEMORY_BYTES }: HeicOptions = {},
): Promise<{ width: number; height: number; png: Uint8Array }> {
  const limits = { pixels: MAX_PIXELS, memory };
  const response = await runThread({ file, limits }, timeoutMs);
  if (!('refused' in response)) return response;
  throw refusals[response.refused](accept);
}

const refusals: Record<
  Extract<HeicResponse, { refused: unknown }>['refused'],
  (accept?: readonly ImageKind[]) => ImageRefused
> = {
  damaged: () => damagedImageError(),
  unsupported: (accept) => unsupportedImageError(accept),
  'too-many-pixels': () => tooManyPixels(MAX_PIXELS),
};

function runThread(request: HeicRequest, timeoutMs: number): Promise<HeicResponse> {
  const thread = new Worker(join(projectRoot, 'gateways/images/heic/heic-thread.ts'), {
    workerData: request,
    execArgv: [],
  });
  const timer = setTimeout(() => void thread.terminate(), timeoutMs);
  return new Promise<HeicResponse>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => resolve({ refused: 'damaged' }));
  }).finally(() => {
    clearTimeout(timer);
    return thread.terminate();
  });
}
