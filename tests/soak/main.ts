import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { MINUTE } from '#platform/durations.ts';
import { projectRoot } from '#platform/project-root.ts';
import { findPostgres } from '../../scripts/postgres.mjs';
import { type Options, planRuns, readOptions } from './plan.ts';
import { isDone, readResults, type SliceResult } from './results.ts';
import { summaryTable } from './summary.ts';

// `npm run soak -- [PROMISE|SUITE …] [--slice 3/20] [--seed N] [--size N] [--minutes N] [--resume]` tests the promises in full
// size, on PostgreSQL, in slices whose results are kept in `soak-results/`. `npm run soak -- summary` prints them as a table.
// Exits with 1 when a promise was broken.

/** No slice runs longer in one go; the rest can be resumed. */
const MAX_MINUTES = 150;
const folder = join(projectRoot, 'soak-results');

/** @returns whether every promise held */
async function soak({ names, minutes = MAX_MINUTES, ...wanted }: Options): Promise<boolean> {
  const postgres = await findPostgres();
  if (!('url' in postgres)) throw new Error(`The soak needs PostgreSQL: ${postgres.reason}`);
  process.env.TEST_DATABASE_URL = postgres.url;
  // A signal ends the servers and the database with the process; what was saved can be resumed.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const { suites } = await import('./suites.ts');
  const { removeLeftovers } = await import('./leftovers.ts');
  const { runSlice } = await import('./run-slice.ts');
  try {
    const known = readResults(folder);
    await removeLeftovers(known);
    const machine = describeMachine(postgres.version);
    let hasHeld = true;
    for (const { name, suite, seed, total, slice } of planRuns(suites, known, names, wanted)) {
      const until = Date.now() + minutes * MINUTE;
      const run = { name, suite, seed, total, slice, folder, machine, commit: commit(), until };
      console.log(`${suite.promise} ${name}: slice ${slice.number}/${slice.of}, seed ${seed}`);
      const result = await runSlice({ ...run, onStep: (result) => console.log(`  ${progress(result)}`) });
      for (const finding of result.findings) console.log(`  ✘ ${finding.replaceAll('\n', '\n    ')}`);
      console.log(`  ${verdict(result)}`);
      hasHeld &&= result.findings.length === 0;
    }
    return hasHeld;
  } finally {
    await postgres.stop();
  }
}

const progress = ({ from, next, to, of, seconds }: SliceResult) =>
  `${next - from} of ${to - from} ${of} in ${(seconds / 60).toFixed(1)} min`;

const verdict = (result: SliceResult) =>
  result.findings.length > 0
    ? `BROKEN, ${result.findings.length} findings`
    : isDone(result)
      ? 'held'
      : 'not finished: go on with --resume';

function describeMachine(postgresVersion: string): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} × ${processor}, ${gigabytes} GB, Node ${process.versions.node}, PostgreSQL ${postgresVersion}`;
}

/** The version of the code; with a plus when files were changed since. */
function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const isChanged = git('status', '--porcelain', '--untracked-files=no').trim() !== '';
    return git('rev-parse', '--short', 'HEAD').trim() + (isChanged ? '+' : '');
  } catch {
    return 'unknown';
  }
}

const options = readOptions(process.argv.slice(2));
if (options.isSummary) console.log(summaryTable(readResults(folder)));
else process.exitCode = (await soak(options)) ? 0 : 1;
