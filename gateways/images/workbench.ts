import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { ImageRefused } from './port.ts';
import { processImage } from './process.ts';
import { createTurnstile } from './turnstile.ts';
import type { WorkshopOrder, WorkshopWord } from './workshop.ts';

// The process of workshop.ts: told of files, it answers with their renditions, and ends when nobody listens any more.

/** Behind whoever answers a visitor, before what may wait for ever. */
const PRIORITY = 10;
/** Files in memory at once: those in work, and the next one. */
const inMemory = createTurnstile(3);

const say = (word: WorkshopWord) => process.send?.(word);

async function work({ id, path }: WorkshopOrder): Promise<void> {
  try {
    const image = await inMemory(1, async () => {
      say({ id, begun: true });
      return processImage(await readFile(path));
    });
    say({ id, image });
  } catch (error) {
    if (error instanceof ImageRefused) say({ id, refused: { reason: error.reason, message: error.message } });
    else say({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** Linux knows a priority for each thread; some are there already, later ones take that of the first. */
function standBack(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) setPriority(thread, PRIORITY);
}

standBack();
process.on('message', (order: WorkshopOrder) => void work(order));
process.on('disconnect', () => process.exit());
// A terminal tells the whole group: whoever opened this one says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
