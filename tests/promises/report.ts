/** How much of a promise is tried. */
export interface Size {
  /** trials, histories, operations: what the promise counts */
  size: number;
  seed: number;
  /** milliseconds since the epoch at which no further trial begins */
  until?: number | undefined;
}

/** What a harness saw. No findings: the promise held. */
export interface Report {
  trials: number;
  findings: string[];
}

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
