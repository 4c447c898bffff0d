/** A source of numbers in [0, 1). The order of calls matters: reordering them changes the pictures. */
export type Random = () => number;

/** The numbers of a seed for drawing. */
export const seededRandom = (seed: number): Random => mulberry32(seed ^ 0x9e3779b9);

/** A generator whose numbers are the same for a seed on every machine. */
export function mulberry32(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number in [low, high). */
export const randomBetween = (random: Random, low: number, high: number): number =>
  low + random() * (high - low);

/** An integer in 0 … count - 1. */
export const randomInt = (random: Random, count: number): number => Math.floor(random() * count);

/** The item at `index`, wrapping around at the end. @throws RangeError when the list is empty */
export function cycle<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError('Nothing to choose from');
  return item;
}

/** A random item of a non-empty list. @throws RangeError when the list is empty */
export const pick = <T>(random: Random, list: readonly T[]): T => cycle(list, randomInt(random, list.length));
