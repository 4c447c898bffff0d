import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { type Trial, trialOf } from './trial.ts';

// Runs before each file of tests; one process runs many files.

declare module 'vitest' {
  interface TaskMeta {
    /** the guards that a test passes, in its own process or in the server it talks to */
    guards?: string[];
    /** those passed while the modules of the file were loaded, told by its first test */
    loaded?: string[];
  }
}

declare global {
  /** what is known from file to file */
  var guardTrials: { failures: Map<number, number>; reloaded: boolean } | undefined;
}

/** So many failures that are no assertions are enough. */
const ENOUGH = 4;

const known = globalThis.guardTrials ?? { failures: new Map<number, number>(), reloaded: false };
globalThis.guardTrials = known;
const trace = process.env.GUARD_TRACE ?? '';
vi.useRealTimers();
if (trace) noteGuards();
else startTrial(trialOf(expect.getState().testPath ?? '') ?? -1);

function noteGuards(): void {
  vi.resetModules();
  const inProcess = globalThis.guardsPassed ?? new Set();
  inProcess.clear();
  let read = textOfTrace().length;
  let loaded: string[] | undefined;
  const passed = () => {
    const text = textOfTrace();
    const ids = new Set([...inProcess, ...text.slice(read).split('\n').filter(Boolean)]);
    inProcess.clear();
    read = text.length;
    return [...ids];
  };
  beforeAll(() => {
    loaded = passed();
  });
  beforeEach(({ task }) => {
    if (loaded) task.meta.loaded = loaded;
    loaded = undefined;
    // What a suite's own preparation passes belongs to the test that needed it.
    task.meta.guards = passed();
  });
  afterEach(({ task }) => {
    task.meta.guards = [...(task.meta.guards ?? []), ...passed()];
  });
}

function textOfTrace(): string {
  return existsSync(trace) ? readFileSync(trace, 'utf8') : '';
}

function startTrial(number: number): void {
  const { guard = null, reload = false } =
    (JSON.parse(process.env.GUARD_TRIALS ?? '[]') as Pick<Trial, 'guard' | 'reload'>[])[number] ?? {};
  // Modules that another guard has changed when they were loaded must go as well.
  if (reload || known.reloaded) vi.resetModules();
  known.reloaded = reload;
  globalThis.guardOff = guard;
  // A server that a test starts has the same guard off.
  const off = new URLSearchParams({ off: guard ?? '' });
  process.env.NODE_OPTIONS = process.env.NODE_OPTIONS?.replace(/(switch\.ts)\S*/, `$1?${off}`);
  beforeEach(({ skip }) => {
    if ((known.failures.get(number) ?? 0) >= ENOUGH) skip();
  });
  afterEach(({ task }) => {
    const errors = task.result?.errors ?? [];
    if (errors.length === 0) return;
    const noticed = errors.some(({ name }) => name === 'AssertionError');
    known.failures.set(number, noticed ? ENOUGH : (known.failures.get(number) ?? 0) + 1);
  });
}
