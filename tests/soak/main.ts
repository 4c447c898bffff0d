import { parseArgs } from 'node:util';
import { MINUTE } from '#platform/durations.ts';
import { findPostgres } from '../../scripts/postgres.mjs';
import type { Report, RunOptions } from '../promises/report.ts';

// `npm run soak -- [SUITE …] [--size N] [--seed N] [--minutes N]`: tests the promises in full size, on PostgreSQL. Prints a line
// per suite; exits with 1 when a promise was broken.

/** What each suite counts, and its full size. */
const suites: Record<string, { size: number; of: string; promise: string }> = {
  'double-sale': { size: 10_000, of: 'trials of 50 buyers', promise: 'R1' },
  'money-back': { size: 100_000, of: 'histories', promise: 'R2' },
  'message-order': { size: 100_000, of: 'orders', promise: 'R3' },
  books: { size: 1_000_000, of: 'operations', promise: 'R4' },
  'crash-points': { size: 1, of: 'crash points', promise: 'R5' },
  reconciliation: { size: 1_000_000, of: 'days', promise: 'R7' },
  kill: { size: 200, of: 'kills', promise: 'R5' },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string' }, seed: { type: 'string' }, minutes: { type: 'string' } },
});
const numberOf = (name: 'size' | 'seed' | 'minutes'): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
};
const names = positionals.length > 0 ? positionals : Object.keys(suites);
const unknown = names.find((name) => !suites[name]);
if (unknown) throw new Error(`There is no suite ${unknown}, only ${Object.keys(suites).join(', ')}`);
const seed = numberOf('seed') ?? Date.now() % 1_000_000;
const minutes = numberOf('minutes');
const requestedSize = numberOf('size');

const postgres = await findPostgres();
if (!('url' in postgres)) throw new Error(`The soak needs PostgreSQL: ${postgres.reason}`);
process.env.TEST_DATABASE_URL = postgres.url;
const { run } = await import('./suites.ts');
let broken = 0;
try {
  for (const name of names) {
    const { size, of, promise } = suites[name] as (typeof suites)[string];
    const began = performance.now();
    const until = minutes === undefined ? undefined : Date.now() + minutes * MINUTE;
    const report: Report = await run(name, { size: requestedSize ?? size, seed, until } satisfies RunOptions);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const result = report.findings.length === 0 ? 'held' : `BROKEN, ${report.findings.length} findings`;
    console.log(`${promise} ${name}: ${report.trials} ${of}, seed ${seed}, ${seconds} s: ${result}`);
    for (const finding of report.findings) console.log(`  ✘ ${finding.replaceAll('\n', '\n    ')}`);
    broken += report.findings.length;
  }
} finally {
  await postgres.stop();
}
process.exitCode = broken === 0 ? 0 : 1;
