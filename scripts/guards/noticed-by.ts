import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from './guard.ts';
import type { Trial } from './trial.ts';

const FILE = 'scripts/guards/noticed-by.tsv';

/** The test that noticed last that a guard was off. */
export interface Noticing {
  /** the file of the test, and its name with those of its suites; the file alone when only all of its tests together noticed it */
  test: string;
  /** whether its modules had to be loaded anew */
  reload: boolean;
}

/**
 * Reads which test noticed each guard last, by the guard's id. Tried first, it spares the search among all tests that pass the guard;
 * where it is out of date, only time is lost.
 */
export function readNoticedBy(root: string): Map<string, Noticing> {
  const file = join(root, FILE);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [id = '', test = '', loading] = line.split('\t');
      return [id, { test, reload: loading === 'reload' }];
    }),
  );
}

/** Writes which test noticed each guard, in the order of the guards' ids. */
export function writeNoticedBy(root: string, noticedBy: ReadonlyMap<string, Noticing>): void {
  const lines = [...noticedBy]
    .map(([id, { test, reload }]) => [id, test, ...(reload ? ['reload'] : [])].join('\t'))
    .sort();
  writeFileSync(join(root, FILE), `${lines.join('\n')}\n`);
}

/** The trial of a guard with the test that noticed it last. */
export function trialWith({ test, reload }: Noticing, guard: Guard): Trial {
  const [file = '', ...names] = test.split(' > ');
  const selection = names.length === 0 ? { file } : { file, names: [names.join(' > ')] };
  return { guard: guard.id, selections: [selection], reload };
}

/**
 * What to remember of a test that noticed a guard: its whole file where the same test did not notice it by itself, since it does so
 * only with what the tests before it have left.
 * @param last what was remembered so far
 * @param searched whether that did not notice the guard any more
 */
export function remembered(found: Noticing, last: Noticing | undefined, searched: boolean): Noticing {
  const [file = ''] = found.test.split(' > ');
  const needsFile = last?.test === file || (searched && last?.test === found.test);
  return needsFile ? { ...found, test: file } : found;
}
