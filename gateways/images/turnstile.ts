/**
 * Lets work through in the order of arrival, up to `capacity` at once. Each piece says how much of the capacity it takes;
 * more than all of it counts as all of it.
 */
export function createTurnstile(capacity: number) {
  const waiting: { weight: number; enter: () => void }[] = [];
  let free = capacity;

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && next.weight <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.weight;
      next.enter();
    }
  }

  return async function pass<T>(share: number, work: () => Promise<T>): Promise<T> {
    const weight = Math.min(share, capacity);
    await new Promise<void>((enter) => {
      waiting.push({ weight, enter });
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
