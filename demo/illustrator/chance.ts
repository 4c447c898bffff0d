/** A source of numbers in [0, 1). Drawing code takes it in reading order, so parts are built in the order they lie. */
export type Chance = () => number;

/** mulberry32: the same seed always gives the same numbers. */
export function seededChance(seed: number): Chance {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number in [low, high). */
export const between = (chance: Chance, low: number, high: number): number => low + chance() * (high - low);

/** An integer in 0 … count - 1. */
export const below = (chance: Chance, count: number): number => Math.floor(chance() * count);

/** The item at `index`, counted round and round. @throws RangeError when the list is empty */
export function cycle<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError('Nothing to choose from');
  return item;
}

/** One item of a list that is not empty. */
export const pick = <T>(chance: Chance, list: readonly T[]): T => cycle(list, below(chance, list.length));
