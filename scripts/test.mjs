import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';

// `npm test`: everything. `npm test -- unit [FILE …]` and `npm test -- e2e [FILE …]`: a part.
await bootstrap(import.meta.url);
const began = performance.now();
const [part, ...chosen] = process.argv.slice(2);
if (part && part !== 'unit' && part !== 'e2e') {
  console.error('Usage: npm test [-- unit|e2e [FILE …]]');
  process.exit(2);
}
const { check } = await import('./check.mjs');
const { firstStart } = await import('./first-start.mjs');
const { findPostgres } = await import('./postgres.mjs');
const { run } = await import('./stage.mjs');
const { failedTests } = await import('./failed-tests.mjs');
const { sandboxesNotAsked } = await import('./sandboxes-not-asked.ts');
const { slowestFiles } = await import('./slowest-files.mjs');

/** What only PostgreSQL can prove; printed where it is missing. */
const NOT_PROVEN = [
  'that one property is never sold twice when many buyers pay at once (R1)',
  'that limits hold over HTTP across processes (R18)',
  'that two server processes share events, jobs and sessions',
  'the SQL, locks, notifications and search plans of production, and the pages that show data changed meanwhile',
];
const results = mkdtempSync(join(tmpdir(), 'acre-results-'));
const stages = [];
const reports = [];
/** Runs a part of the tests under a heading and measures it. */
async function stage(name, work) {
  console.log(`\n── ${name}`);
  const start = performance.now();
  try {
    return await work();
  } finally {
    stages.push({ name, seconds: (performance.now() - start) / 1000 });
  }
}
const failures = [];
const counts = [];
const failed = [];
let ran = 0;
const postgres = await findPostgres();
const server = 'url' in postgres ? postgres : null;
// Tests must never touch a database that is in use.
const environment = {
  DATABASE_URL: undefined,
  DATABASE_READ_URL: undefined,
  DATABASE_LISTEN_URL: undefined,
  NODE_ENV: undefined,
  TEST_DATABASE_URL: server?.url ?? '',
};
console.log(server ? `PostgreSQL ${server.version} for tests` : `WITHOUT PostgreSQL: ${postgres.reason}`);
if (!server && isPostgresRequired()) {
  console.error('FAILED: with CI or a database URL set, tests need PostgreSQL');
  rmSync(results, { recursive: true, force: true });
  process.exit(1);
}

try {
  await stage('build and first start', () => firstStart(environment));
  if (part !== 'e2e') {
    await stage('lint, types, architecture', async () => (await check()) || failures.push('check'));
    await stage('unit and integration tests', runUnits);
  }
  if (part !== 'unit') {
    process.env.CHROME_PATH ||= (await import('#tests/support/browser/find-browser.ts')).findBrowser();
    await stage('browser tests on the embedded database', () => runBrowser('embedded', []));
    if (server)
      await stage('browser tests on PostgreSQL', () =>
        runBrowser('PostgreSQL', ['--project=desktop', '--grep=@server']),
      );
  }
} catch (error) {
  console.error(error.message);
  failures.push('the run itself');
} finally {
  await server?.stop();
  rmSync(results, { recursive: true, force: true });
}

for (const { title, message } of failed) console.log(`\n✘ ${title}\n${message.replace(/^/gm, '    ')}`);
console.log('\nSlowest files');
for (const { file, run, seconds } of slowestFiles(reports))
  console.log(
    `${seconds.toFixed(1).padStart(7)} s  ${file.startsWith(root) ? relative(root, file) : file} (${run})`,
  );
console.log('\nStages');
for (const { name, seconds } of stages) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
if (!server) {
  console.log('\n!!! Without PostgreSQL this run did NOT prove:');
  for (const claim of NOT_PROVEN) console.log(`!!!   ${claim}`);
}
const notAsked = reports.flatMap(({ report }) => (report?.testResults ? sandboxesNotAsked(report) : []));
if (notAsked.length > 0) {
  console.log('\n!!! Without their keys this run did NOT ask the real sandboxes of:');
  for (const { provider, needs } of notAsked) console.log(`!!!   ${provider} (needs ${needs})`);
}
// In short once more at the very end, titles last: of a long log a reader often sees only that.
if (failed.length > 0) console.log('\nFailed tests');
for (const { title, message } of failed)
  console.log(`  ✘ ${title}\n${message.split('\n').slice(0, 20).join('\n').replace(/^/gm, '      ')}`);
if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ title }) => title).join(' · ')}`);
if (ran === 0 && failures.length === 0) failures.push('no test ran');
const seconds = (performance.now() - began) / 1000;
const tested = server
  ? `the embedded database and PostgreSQL ${server.version}`
  : 'the embedded database ONLY';
console.log(
  `\n${failures.length ? `FAILED (${failures.join(', ')})` : 'Passed'}: ${counts.join('; ') || 'nothing ran'}; ` +
    `on ${tested}; ${notAsked.length ? `${notAsked.length} real sandboxes not asked; ` : ''}${minutes(seconds)} (${stages.map((stage) => `${stage.name} ${minutes(stage.seconds)}`).join(', ')})`,
);
process.exitCode = failures.length ? 1 : 0;

async function runUnits() {
  const file = join(results, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...chosen];
  const { ok } = await run('vitest', args, { env: environment });
  const report = read(file);
  if (!ok || !report?.numPassedTests) failures.push('unit and integration tests');
  reports.push({ name: 'vitest', report });
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
  // The chosen files may be for the other database only; at the end at least one test must have run.
  const few = chosen.length > 0 ? ['--pass-with-no-tests'] : [];
  const env = { ...environment, E2E_DATABASE: database, E2E_RESULTS: database };
  const { ok } = await run('playwright', ['test', '--reporter=line,json', ...few, ...args, ...chosen], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const report = read(file);
  reports.push({ name: database, report });
  const { expected, unexpected, flaky, skipped } = report?.stats ?? {};
  if (!ok || (!expected && chosen.length === 0)) failures.push(`browser tests on ${database}`);
  failed.push(...failedTests(report));
  if (unexpected || flaky) await traceFailures(database, env);
  ran += expected ?? 0;
  counts.push(count(expected, (unexpected ?? 0) + (flaky ?? 0), skipped, `browser tests on ${database}`));
}

/** Runs the failed tests once more with a trace, as evidence only: whatever comes of it, the run has failed. */
async function traceFailures(database, env) {
  const [from, to] = [database, `${database}-traces`].map((name) => join(root, 'test-results', name));
  const record = '.last-run.json';
  if (!existsSync(join(from, record))) return;
  mkdirSync(to, { recursive: true });
  copyFileSync(join(from, record), join(to, record));
  console.log(`\nThe failed tests run once more, for their traces in ${relative(root, to)}`);
  await run('playwright', ['test', '--reporter=line', '--last-failed'], {
    env: { ...env, E2E_RESULTS: `${database}-traces`, E2E_TRACE: '1' },
  });
}

/** On a laptop PostgreSQL is optional; where it is expected, its absence must not pass for success. */
function isPostgresRequired() {
  const { CI, TEST_DATABASE_URL, DATABASE_URL } = process.env;
  return Boolean(CI || TEST_DATABASE_URL || DATABASE_URL);
}

function minutes(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function count(passed = 0, failed = 0, skipped = 0, what = '') {
  const rest = [failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean).join(', ');
  return `${passed} ${what}${rest ? ` (${rest})` : ''}`;
}
