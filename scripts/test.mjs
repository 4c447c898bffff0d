import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';

// `npm test`: everything. `npm test -- unit [FILE …]` and `npm test -- e2e [FILE …]`: a part.
await bootstrap(import.meta.url);
const began = performance.now();
const [part, ...chosen] = process.argv.slice(2);
if (part && part !== 'unit' && part !== 'e2e') {
  console.error('Usage: npm test [-- unit|e2e [FILE …]]');
  process.exit(2);
}
const { build, isBuilt } = await import('./build.mjs');
const { check } = await import('./check.mjs');
const { findPostgres } = await import('./postgres.mjs');
const { run } = await import('./stage.mjs');
const { failedTests } = await import('./failed-tests.mjs');

/** Specs whose behaviour lies in the database, one of each kind; what each query does is tested on both below the browser. */
const THROUGH_THE_DATABASE =
  '(buyer-|conversations|changed-market|visitor-list|purchase-ways|accounts-sign-in|seller-registration)';
const results = mkdtempSync(join(tmpdir(), 'acre-results-'));
const heading = (text) => console.log(`\n── ${text}`);
const failures = [];
const counts = [];
const failed = [];
let ran = 0;
const postgres = await findPostgres();
const server = 'url' in postgres ? postgres : null;
// Tests never touch the database that somebody works with.
const environment = {
  DATABASE_URL: undefined,
  DATABASE_READ_URL: undefined,
  NODE_ENV: undefined,
  TEST_DATABASE_URL: server?.url ?? '',
};
console.log(server ? `PostgreSQL ${server.version} for tests` : `Without PostgreSQL: ${postgres.reason}`);

try {
  heading('build');
  if (!isBuilt()) await build();
  if (part !== 'e2e') {
    heading('lint, types, architecture');
    if (!(await check())) failures.push('check');
    heading('unit and integration tests');
    await runUnits();
  }
  if (part !== 'unit') {
    process.env.CHROME_PATH ||= (await import('../tests/support/find-browser.ts')).findBrowser();
    heading('browser tests on the embedded database');
    await runBrowser('embedded', []);
    if (server) {
      heading('browser tests on PostgreSQL');
      await runBrowser('PostgreSQL', ['--project=desktop', '--grep', THROUGH_THE_DATABASE]);
    }
  }
} catch (error) {
  console.error(error.message);
  failures.push('the run itself');
} finally {
  await server?.stop();
  rmSync(results, { recursive: true, force: true });
}

for (const { title, message } of failed) console.log(`\n✘ ${title}\n${message.replace(/^/gm, '    ')}`);
if (ran === 0 && failures.length === 0) failures.push('no test ran');
const seconds = Math.round((performance.now() - began) / 1000);
const tested = server
  ? `the embedded database and PostgreSQL ${server.version}`
  : 'the embedded database ONLY';
console.log(
  `\n${failures.length ? `FAILED (${failures.join(', ')})` : 'Passed'}: ${counts.join('; ') || 'nothing ran'}; ` +
    `on ${tested}; ${Math.floor(seconds / 60)} min ${seconds % 60} s`,
);
process.exitCode = failures.length ? 1 : 0;

async function runUnits() {
  const file = join(results, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...chosen];
  const { ok } = await run('vitest', args, { env: environment });
  const report = read(file);
  if (!ok || !report?.numPassedTests) failures.push('unit and integration tests');
  failed.push(...failedTests(report));
  ran += report?.numPassedTests ?? 0;
  counts.push(
    count(
      report?.numPassedTests,
      report?.numFailedTests,
      report?.numPendingTests,
      'unit and integration tests',
    ),
  );
}

async function runBrowser(database, args) {
  const file = join(results, `playwright-${database}.json`);
  // Chosen files may be for the other database alone; in the end at least one of their tests must have run.
  const few = chosen.length > 0 ? ['--pass-with-no-tests'] : [];
  const { ok } = await run('playwright', ['test', '--reporter=line,json', ...few, ...args, ...chosen], {
    env: { ...environment, E2E_DATABASE: database, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const report = read(file);
  const { expected, unexpected, flaky, skipped } = report?.stats ?? {};
  if (!ok || (!expected && chosen.length === 0)) failures.push(`browser tests on ${database}`);
  failed.push(...failedTests(report));
  ran += expected ?? 0;
  counts.push(count(expected, (unexpected ?? 0) + (flaky ?? 0), skipped, `browser tests on ${database}`));
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function count(passed = 0, failed = 0, skipped = 0, what = '') {
  const rest = [failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean).join(', ');
  return `${passed} ${what}${rest ? ` (${rest})` : ''}`;
}
