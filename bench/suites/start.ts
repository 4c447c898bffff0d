import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#platform/project-root.ts';
import { writeImportFile } from '../data/import-file.ts';
import { ensureBuilt, startAppServer, temporaryFolder } from '../support/app-server.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { table, timings } from '../support/timings.ts';

const PROMISED_MS = 3_000;
const PROMISED_KILLED_MS = 10_000;
const STARTS = 5;
const IMPORTED_ROWS = 50_000;
/** A seller of the demo market. */
const SELLER = 'seller@acre.test';
const npmStart = ['npm', 'start', '--silent'] as const;

/**
 * `npm start` on a built tree with the embedded database, until /readyz succeeds. Promised: under 3 s (the median of five;
 * the first start, which loads the demo data, is not counted), and under 10 s after 50,000 listings were imported and the server was
 * killed right after.
 */
export async function startSuite(): Promise<SuiteReport> {
  await ensureBuilt();
  const folder = temporaryFolder();
  const waited: number[] = [];
  let first = 0;
  let killed = 0;
  try {
    for (let start = 0; start <= STARTS; start++) {
      const server = await startAppServer(npmStart, folder.path);
      if (start === 0) first = server.readyAfter;
      else waited.push(server.readyAfter);
      await server.stop();
    }
    killed = await startAfterKill(folder.path);
  } finally {
    folder.remove();
  }
  const { p50, max } = timings(waited);
  const seconds = (duration: number) => `${(duration / 1_000).toFixed(2)} s`;
  return {
    title: 'Start',
    text: `${table(
      ['npm start until ready', 'median', 'slowest'],
      [
        ['first, with a new market', seconds(first), '–'],
        ['again', seconds(p50), seconds(max)],
        [`killed after importing ${IMPORTED_ROWS.toLocaleString('en-US')} listings`, seconds(killed), '–'],
      ],
    )}\n\nPromised: again under ${seconds(PROMISED_MS)} (median), killed under ${seconds(PROMISED_KILLED_MS)}.`,
    missed: [
      ...(p50 < PROMISED_MS
        ? []
        : [`A second start takes ${seconds(p50)}, promised ${seconds(PROMISED_MS)}`]),
      ...(killed < PROMISED_KILLED_MS
        ? []
        : [`A start after a kill takes ${seconds(killed)}, promised ${seconds(PROMISED_KILLED_MS)}`]),
    ],
  };
}

/** Milliseconds until the server is ready that was killed as soon as the listings had been imported through it. */
async function startAfterKill(dataDir: string): Promise<number> {
  const file = join(dataDir, 'listings.csv');
  await writeImportFile(file, IMPORTED_ROWS);
  const server = await startAppServer(npmStart, dataDir);
  const { DATABASE_URL: _database, NODE_ENV: _mode, ...inherited } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/run.mjs', 'scripts/import.ts', file, '--seller', SELLER, '--activate-types'],
    { cwd: projectRoot, env: { ...inherited, DATA_DIR: dataDir }, maxBuffer: 2 ** 26 },
  ).finally(() => server.kill());
  if (!stdout.includes(`${IMPORTED_ROWS.toLocaleString('en-US')} accepted`))
    throw new Error(`The import has failed:\n${stdout.slice(-2_000)}`);
  const again = await startAppServer(npmStart, dataDir);
  await again.stop();
  return again.readyAfter;
}
