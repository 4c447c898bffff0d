import { AppError } from '#platform/errors.ts';
import { createSemaphore } from './semaphore.ts';

/** Pictures are being made for so many requests already that one more would wait too long. */
class TooBusy extends AppError {
  constructor() {
    super('Too many pictures are being made. Please try again.', 503);
  }
}

/**
 * Makes pictures one at a time, each once: the most recently requested ones are kept in memory, and requests for one that is
 * being made wait for it.
 * @param size how many pictures are kept
 * @param queue how many may wait
 */
export function createPictureCache({ size, queue }: { size: number; queue: number }) {
  const pictures = new Map<string, Promise<Uint8Array>>();
  const oneAtATime = createSemaphore(1);
  let waiting = 0;

  async function make(draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    if (waiting >= queue) throw new TooBusy();
    waiting += 1;
    try {
      return await oneAtATime(1, draw);
    } finally {
      waiting -= 1;
    }
  }

  /** @throws AppError with 503 when too many wait; what `draw` throws */
  return function picture(key: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const bytes = pictures.get(key) ?? make(draw);
    pictures.delete(key);
    pictures.set(key, bytes);
    bytes.catch(() => {
      if (pictures.get(key) === bytes) pictures.delete(key);
    });
    const oldest = pictures.keys().next();
    if (pictures.size > size && !oldest.done) pictures.delete(oldest.value);
    return bytes;
  };
}
