import { parseArgs } from 'node:util';
import { isDone, type SliceResult } from './results.ts';
import type { Slice, Suite } from './suite.ts';

/** What the command line asks for. */
export interface Options {
  isSummary: boolean;
  /** promises or suites; empty for all */
  names: string[];
  slice?: Slice;
  seed?: number;
  /** trials of the whole run instead of the full size */
  size?: number;
  /** time for each slice */
  minutes?: number;
  isResumed: boolean;
}

/** @throws Error for an option that is not understood */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      slice: { type: 'string' },
      seed: { type: 'string' },
      size: { type: 'string' },
      minutes: { type: 'string' },
      resume: { type: 'boolean', default: false },
    },
  });
  const numberOf = (name: 'seed' | 'size' | 'minutes'): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`);
    return Number(text);
  };
  return {
    isSummary: positionals[0] === 'summary',
    names: positionals,
    slice: values.slice === undefined ? undefined : parseSlice(values.slice),
    seed: numberOf('seed'),
    size: numberOf('size'),
    minutes: numberOf('minutes'),
    isResumed: values.resume,
  };
}

function parseSlice(text: string): Slice {
  const [, number, of] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (!number || !of || number > of) throw new Error('--slice must be a number of the whole, such as 3/20');
  return { number, of };
}

/** A slice to run. */
interface PlannedRun {
  name: string;
  suite: Suite;
  seed: number;
  total: number;
  slice: Slice;
}

/**
 * The slices to run, in order. Those that are resumed take seed, size and number of slices from the latest results of their
 * suite, as far as they are not given, and leave out what is done.
 * @throws Error for a name that is none, or a slice that has results and is not resumed
 */
export function planRuns(
  suites: Record<string, Suite>,
  known: readonly SliceResult[],
  names: readonly string[],
  { slice, seed, size, isResumed }: Pick<Options, 'slice' | 'seed' | 'size' | 'isResumed'>,
): PlannedRun[] {
  const isNamed = (name: string, { promise }: Suite) => names.includes(name) || names.includes(promise);
  const chosen = Object.entries(suites).filter(([name, suite]) => names.length === 0 || isNamed(name, suite));
  const unknown = names.find(
    (name) => !chosen.some(([suite, { promise }]) => name === suite || name === promise),
  );
  if (unknown) throw new Error(`There is no suite ${unknown}, only ${Object.keys(suites).join(', ')}`);
  return chosen.flatMap(([name, suite]) => {
    const fitting = known.filter(
      (result) =>
        result.suite === name &&
        (seed === undefined || result.seed === seed) &&
        (size === undefined || result.total === size) &&
        (slice === undefined || result.slice.of === slice.of),
    );
    const latest = isResumed ? fitting.at(-1) : undefined;
    const run = {
      name,
      suite,
      seed: seed ?? latest?.seed ?? Date.now() % 1_000_000,
      total: size ?? latest?.total ?? suite.total,
    };
    const of = slice?.of ?? latest?.slice.of ?? suite.slices;
    const numbers = slice ? [slice.number] : Array.from({ length: of }, (_, at) => at + 1);
    return numbers
      .map((number): PlannedRun => ({ ...run, slice: { number, of } }))
      .filter((planned) => isLeft(planned, known, isResumed));
  });
}

function isLeft(
  { name, seed, total, slice }: PlannedRun,
  known: readonly SliceResult[],
  isResumed: boolean,
): boolean {
  const before = known.find(
    (result) =>
      result.suite === name &&
      result.seed === seed &&
      result.total === total &&
      result.slice.number === slice.number &&
      result.slice.of === slice.of,
  );
  if (before && !isResumed)
    throw new Error(
      `Slice ${slice.number}/${slice.of} of ${name} with seed ${seed} has results: add --resume, or take another seed`,
    );
  return !before || !isDone(before);
}
