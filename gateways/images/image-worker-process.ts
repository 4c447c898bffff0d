import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { ImageWorkerRequest, ImageWorkerResponse } from './image-worker.ts';
import { ImageRefused } from './port.ts';
import { processImage } from './process-image.ts';
import { createSemaphore } from './semaphore.ts';

// The child process of the image worker: receives file paths, replies with renditions, and exits when the parent disconnects.

/** Below the processes that serve requests, above batch work. */
const PRIORITY = 10;
/** Files in memory at once: those being processed and the next one. */
const withMemorySlot = createSemaphore(3);

const respond = (response: ImageWorkerResponse) => process.send?.(response);

async function handleRequest({ id, path, limits }: ImageWorkerRequest): Promise<void> {
  try {
    const image = await withMemorySlot(1, async () => {
      respond({ id, begun: true });
      return processImage(await readFile(path), limits);
    });
    respond({ id, image });
  } catch (error) {
    if (error instanceof ImageRefused)
      respond({ id, refused: { reason: error.reason, message: error.message } });
    else respond({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** Linux has a priority per thread; some threads already exist, later ones inherit the first one's. */
function lowerPriority(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) setPriority(thread, PRIORITY);
}

lowerPriority();
process.on('message', (request: ImageWorkerRequest) => void handleRequest(request));
process.on('disconnect', () => process.exit());
// A terminal signals the whole process group; only the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
