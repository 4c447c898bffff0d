import { type Random, seededRandom } from '#illustrator/random.ts';

/** A 32-bit hash of a text, as a seed for the random numbers. */
export function seedOf(text: string): number {
  let seed = 2166136261;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return seed;
}

/** A random-looking version 4 uuid. */
export function uuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  digits[12] = '4';
  digits[16] = '89ab'.charAt(Math.floor(random() * 4));
  const text = digits.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}

/** Returns a generator of ids; the same `name` always gives the same sequence. */
export function idGenerator(name: string): () => string {
  const random = seededRandom(seedOf(`acre ${name}`));
  return () => uuid(random);
}

/** Returns a function that draws from a shuffled list and reshuffles it when used up: each item comes equally often. */
export function deck<T>(random: Random, items: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (!left.length) left = shuffled(random, items);
    const item = left.pop();
    if (item === undefined) throw new RangeError('An empty deck');
    return item;
  };
}

export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** Picks one item at random, by weight. */
export function pickWeighted<T extends { weight: number }>(random: Random, items: readonly T[]): T {
  let left = random() * items.reduce((sum, item) => sum + item.weight, 0);
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  const last = items.at(-1);
  if (last === undefined) throw new RangeError('Nothing to choose from');
  return last;
}
