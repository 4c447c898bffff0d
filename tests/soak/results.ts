import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  suite: z.string(),
  promise: z.string(),
  of: z.string(),
  seed: z.number(),
  slice: z.object({ number: z.number(), of: z.number() }),
  /** trials of the whole run */
  total: z.number(),
  /** the trials of this slice, of which `next` is the first that was not run yet */
  from: z.number(),
  to: z.number(),
  next: z.number(),
  findings: z.array(z.string()),
  counts: z.record(z.string(), z.number()),
  /** time spent running, without pauses */
  seconds: z.number(),
  /** what it ran on, and versions of the code; several when it was resumed elsewhere or later */
  machines: z.array(z.string()),
  commits: z.array(z.string()),
  /** the process that runs it, or ran it last */
  process: z.object({ host: z.string(), pid: z.number() }),
  updatedAt: z.string(),
});

/** How far a slice of a run has come, as kept in a file of its own. */
export type SliceResult = z.infer<typeof schema>;

/** A slice is done when all of its trials were run, or a promise was broken, which somebody has to look at first. */
export const isDone = ({ next, to, findings }: SliceResult): boolean => next >= to || findings.length > 0;

type Key = Pick<SliceResult, 'suite' | 'seed' | 'slice' | 'total'>;

const fileOf = (folder: string, { suite, seed, slice, total }: Key) =>
  join(folder, `${suite}_${total}_seed-${seed}_slice-${slice.number}-of-${slice.of}.json`);

/** Replaces the file in one step, so that a kill leaves the old one or the new one. */
export function saveResult(folder: string, result: SliceResult): void {
  mkdirSync(folder, { recursive: true });
  const file = fileOf(folder, result);
  writeFileSync(`${file}.new`, `${JSON.stringify(result, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** @throws Error for a file that is not a result */
export function readResult(folder: string, key: Key): SliceResult | null {
  const file = fileOf(folder, key);
  return existsSync(file) ? parse(file) : null;
}

/** All results in a folder, the latest last. @throws Error for a file that is not a result */
export function readResults(folder: string): SliceResult[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => parse(join(folder, name)))
    .sort((one, other) => one.updatedAt.localeCompare(other.updatedAt));
}

function parse(file: string): SliceResult {
  const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not the result of a soak: ${parsed.error.message}`);
  return parsed.data;
}
