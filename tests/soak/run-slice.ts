import { hostname } from 'node:os';
import { readResult, type SliceResult, saveResult } from './results.ts';
import { rangeOf, type Slice, type Suite, stepSeed } from './suite.ts';

/** Which part of a suite to run, and where its results are kept. */
export interface SliceRun {
  name: string;
  suite: Suite;
  seed: number;
  slice: Slice;
  /** trials of the whole run */
  total: number;
  folder: string;
  /** what it runs on, and the version of the code */
  machine: string;
  commit: string;
  /** time in epoch milliseconds after which no further step begins; the rest can be resumed */
  until: number;
  onStep?: (result: SliceResult) => void;
}

/**
 * Runs the trials of a slice that were not run yet, and saves what they showed after each step. Ends early at a finding or
 * when the time is over.
 */
export async function runSlice(run: SliceRun): Promise<SliceResult> {
  const { name, suite, seed, slice, total, folder } = run;
  const { promise, of, step } = suite;
  const range = rangeOf(slice, total);
  const fresh = { suite: name, promise, of, seed, slice, total, ...range, next: range.from };
  const before = readResult(folder, fresh);
  let result: SliceResult = {
    ...fresh,
    findings: [],
    counts: {},
    seconds: 0,
    ...before,
    machines: withOne(before?.machines, run.machine),
    commits: withOne(before?.commits, run.commit),
    process: { host: hostname(), pid: process.pid },
    updatedAt: new Date().toISOString(),
  };
  saveResult(folder, result);
  while (result.next < result.to && result.findings.length === 0 && Date.now() < run.until) {
    const steps = { from: result.next, to: Math.min(result.to, result.next + step) };
    const began = performance.now();
    const { findings, counts = {} } = await suite.run(steps, stepSeed(seed, steps.from));
    result = {
      ...result,
      next: steps.to,
      findings: findings.map((finding) => `trials ${steps.from} to ${steps.to - 1}: ${finding}`),
      counts: addCounts(result.counts, counts),
      seconds: result.seconds + (performance.now() - began) / 1000,
      updatedAt: new Date().toISOString(),
    };
    saveResult(folder, result);
    run.onStep?.(result);
  }
  return result;
}

const withOne = (list: readonly string[] = [], one: string): string[] => [...new Set([...list, one])];

/** Adds up counts by name. */
export function addCounts(
  one: Record<string, number>,
  other: Record<string, number>,
): Record<string, number> {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
