/** The trials of a suite numbered from `from` up to, but not including, `to`. */
export interface TrialRange {
  from: number;
  to: number;
}

/** What some trials showed. Counts are added up over all trials, such as the crash points that they tried. */
export interface Figures {
  /** empty when the promise held */
  findings: string[];
  counts?: Record<string, number>;
}

/** A promise about money in full size. */
export interface Suite {
  promise: string;
  /** what a trial is, in the plural */
  of: string;
  /** trials of the full size */
  total: number;
  /** trials run in one go; what a kill loses is at most one of these */
  step: number;
  /** number of slices of the full size, none longer than 150 minutes on two cores */
  slices: number;
  /** Runs some of the trials; the same range and seed run the same trials. */
  run(range: TrialRange, seed: number): Promise<Figures>;
}

/** One slice of a run, counted from 1. */
export interface Slice {
  number: number;
  of: number;
}

/** The trials of one slice: together the slices of a run hold each trial once, and they differ in size by one at most. */
export const rangeOf = ({ number, of }: Slice, total: number): TrialRange => ({
  from: Math.floor((total * (number - 1)) / of),
  to: Math.floor((total * number) / of),
});

/** The seed of the trials that begin at `from` in a run with this seed; unsigned 31 bits. */
export function stepSeed(seed: number, from: number): number {
  let mixed = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(from + 1, 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x27d4_eb2f);
  return (mixed ^ (mixed >>> 13)) & 0x7fff_ffff;
}
