import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planRuns, readOptions } from './plan.ts';
import { isDone, readResults } from './results.ts';
import { runSlice, type SliceRun } from './run-slice.ts';
import { rangeOf, type Suite, stepSeed, type TrialRange } from './suite.ts';
import { summaryTable } from './summary.ts';

/** A suite of 1,000 trials that remembers what it ran. */
function suiteThat(run: (range: TrialRange, seed: number) => void = () => {}) {
  const ran: TrialRange[] = [];
  const suite: Suite = {
    promise: 'R9',
    of: 'trials',
    total: 1_000,
    step: 30,
    slices: 7,
    async run(range, seed) {
      run(range, seed);
      ran.push(range);
      return { findings: [], counts: { steps: 1 } };
    },
  };
  return { suite, ran };
}

const trialsOf = (ranges: readonly TrialRange[]) =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));

describe('a soak in slices', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'acre-soak-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const runOf = (suite: Suite, change: Partial<SliceRun> = {}): SliceRun => ({
    name: 'fake',
    suite,
    seed: 5,
    slice: { number: 1, of: 7 },
    total: suite.total,
    folder,
    machine: 'a laptop',
    commit: 'abc',
    until: Number.POSITIVE_INFINITY,
    ...change,
  });

  it('runs every trial once, in slices of about the same size', async () => {
    const { suite, ran } = suiteThat();
    for (let number = 1; number <= 7; number += 1) await runSlice(runOf(suite, { slice: { number, of: 7 } }));
    expect(trialsOf(ran)).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
    const sizes = [1, 2, 3, 4, 5, 6, 7].map((number) => rangeOf({ number, of: 7 }, 1_000));
    expect(sizes.every(({ from, to }) => to - from === 142 || to - from === 143)).toBe(true);
  });

  it('goes on after a kill with the first step that was not saved', async () => {
    let isKilled = true;
    const seeds = new Map<number, number>();
    const { suite, ran } = suiteThat(({ from }, seed) => {
      if (isKilled && from === 60) throw new Error('killed');
      seeds.set(from, seed);
    });
    await expect(runSlice(runOf(suite))).rejects.toThrow('killed');
    expect(readResults(folder)).toMatchObject([{ next: 60, to: 142, commits: ['abc'] }]);
    isKilled = false;
    const result = await runSlice(runOf(suite, { commit: 'def' }));
    expect(trialsOf(ran)).toEqual(Array.from({ length: 142 }, (_, at) => at));
    expect(result).toMatchObject({ next: 142, counts: { steps: 5 }, commits: ['abc', 'def'] });
    expect(seeds.get(60)).toBe(stepSeed(5, 60));
    expect(new Set(seeds.values()).size).toBe(seeds.size);
  });

  it('ends when its time is over, and at a finding', async () => {
    const { suite } = suiteThat();
    expect(isDone(await runSlice(runOf(suite, { until: 0 })))).toBe(false);
    const broken: Suite = { ...suite, run: async () => ({ findings: ['double'] }) };
    const result = await runSlice(runOf(broken, { seed: 6 }));
    expect(result).toMatchObject({ next: 30, findings: ['trials 0 to 29: double'] });
    expect(isDone(result)).toBe(true);
  });

  it('plans what is left, with the seed and size of the latest results', async () => {
    const { suite } = suiteThat();
    await runSlice(runOf(suite, { total: 70, slice: { number: 2, of: 3 } }));
    await runSlice(runOf(suite, { total: 70, slice: { number: 1, of: 3 }, until: 0 }));
    const plan = (...args: string[]) => {
      const { names, ...wanted } = readOptions(args);
      return planRuns({ fake: suite }, readResults(folder), names, wanted).map(
        ({ seed, total, slice }) => `${slice.number}/${slice.of} of ${total}, seed ${seed}`,
      );
    };
    expect(plan('R9', '--resume')).toEqual(['1/3 of 70, seed 5', '3/3 of 70, seed 5']);
    expect(plan('fake', '--slice', '4/9', '--seed', '8')).toEqual(['4/9 of 1000, seed 8']);
    expect(plan('--seed', '8')).toHaveLength(7);
    expect(() => plan('--slice', '2/3', '--seed', '5', '--size', '70')).toThrow('add --resume');
    expect(() => plan('R8')).toThrow('There is no suite R8');
    expect(() => plan('--slice', '4/3')).toThrow('--slice');
    expect(() => plan('--seed', 'x')).toThrow('--seed must be a whole number');
  });

  it('adds up the slices in a table', async () => {
    const { suite } = suiteThat();
    for (const number of [1, 3]) await runSlice(runOf(suite, { slice: { number, of: 10 } }));
    await runSlice(runOf(suite, { slice: { number: 2, of: 10 }, until: 0, machine: 'a server' }));
    const row = summaryTable(readResults(folder)).split('\n').at(-1);
    expect(row).toMatch(
      /^\| R9 fake \| 200 of 1,000 trials, 8 steps \| 0 \| 0\.0 \| [\d.]* \| 2 of 10 \| 5 \|/,
    );
    expect(row).toContain('a laptop, a server');
  });
});
