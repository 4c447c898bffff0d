/**
 * A weighted FIFO semaphore: runs work in order of arrival, up to `capacity` at once. A share larger than the capacity
 * counts as all of it.
 */
export function createSemaphore(capacity: number) {
  const waiting: { weight: number; start: () => void }[] = [];
  let free = capacity;

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && next.weight <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.weight;
      next.start();
    }
  }

  return async function run<T>(share: number, work: () => Promise<T>): Promise<T> {
    const weight = Math.min(share, capacity);
    await new Promise<void>((start) => {
      waiting.push({ weight, start });
      admit();
    });
    try {
      return await work();
    } finally {
      free += weight;
      admit();
    }
  };
}
