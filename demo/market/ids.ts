import { type Chance, seededChance } from '../illustrator/chance.ts';

/** A whole number from text, to seed chance with. */
export function seedOf(text: string): number {
  let seed = 2166136261;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return seed;
}

/** A random-looking version 4 uuid. */
export function uuid(chance: Chance): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(chance() * 16).toString(16));
  digits[12] = '4';
  digits[16] = '89ab'.charAt(Math.floor(chance() * 4));
  const text = digits.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}

/** Makes one id after another; the same `name` always gives the same ids. */
export function idFor(name: string): () => string {
  const chance = seededChance(seedOf(`acre ${name}`));
  return () => uuid(chance);
}

/** Deals the items of a list in shuffled order, again and again, so that each is used equally often. */
export function deck<T>(chance: Chance, items: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (!left.length) left = shuffled(chance, items);
    const item = left.pop();
    if (item === undefined) throw new RangeError('An empty deck');
    return item;
  };
}

export function shuffled<T>(chance: Chance, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: chance() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** One item by weight. */
export function weighted<T extends { weight: number }>(chance: Chance, items: readonly T[]): T {
  let left = chance() * items.reduce((sum, item) => sum + item.weight, 0);
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  const last = items.at(-1);
  if (last === undefined) throw new RangeError('Nothing to choose from');
  return last;
}
