import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSwitchableServer } from './guards/build-server.ts';
import { findGuards, sourceFiles } from './guards/find-guards.ts';
import type { Guard } from './guards/guard.ts';
import { type Noticing, readNoticedBy, remembered, trialWith, writeNoticedBy } from './guards/noticed-by.ts';
import type { Outcome } from './guards/run-tests.ts';
import { roundsFor } from './guards/select-tests.ts';
import { type GuardWorker, startWorker } from './guards/start-worker.ts';
import { testFiles, traceTests } from './guards/trace-tests.ts';
import type { Trial } from './guards/trial.ts';
import { type Tried, tryGuards } from './guards/try-guards.ts';
import { findPostgres } from './postgres.mjs';

// `npm run test:guards`: switches every access guard off in turn and runs the tests that pass it. A guard that no assertion
// misses has survived; one whose absence only makes something fail is broken. Exits with 1 if any has survived.
//   -- --only PATTERN   guards whose id or code matches, e.g. `features/sales` or `#ownership`
//   -- --from NUMBER    leave out those before it in the list
//   -- --shard 2/3      the second third of them
//   -- --tests PATTERN  only test files whose path matches may notice it
//   -- --resume         keep the results of the report
//   -- --search         do not begin with the test that noticed a guard last time
//   -- --list           print the guards and run nothing

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    shard: { type: 'string', default: '1/1' },
    tests: { type: 'string', default: '' },
    report: { type: 'string', default: 'test-results/guards.json' },
    workers: { type: 'string', default: '2' },
    resume: { type: 'boolean', default: false },
    search: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

/** A guard and what came of switching it off. */
interface Result extends Omit<Guard, 'edit'> {
  number: number;
  outcome: Outcome['kind'];
  test?: string;
  message?: string;
  reload: boolean;
  /** whether the test that noticed it last was tried and did not */
  searched: boolean;
  seconds: number;
}

const root = join(import.meta.dirname, '..');
const reportFile = join(root, options.report);
const began = performance.now();
const chosen = chosenGuards();

function chosenGuards(): { number: number; guard: Guard }[] {
  const [part = 1, parts = 1] = options.shard.split('/').map(Number);
  const pattern = new RegExp(options.only);
  return findGuards(sourceFiles(root))
    .map((guard, index) => ({ number: index + 1, guard }))
    .filter(
      ({ number, guard }) => number >= Number(options.from) && pattern.test(`${guard.id} ${guard.code}`),
    )
    .filter((_, index) => index % parts === part - 1);
}

async function tryAll(): Promise<number> {
  const postgres = await findPostgres();
  const server = 'url' in postgres ? postgres : null;
  process.env.TEST_DATABASE_URL = server?.url ?? '';
  delete process.env.DATABASE_URL;
  const wanted = testFiles(root, new RegExp(options.tests));
  // Only tests of this room talk to a running server.
  if (wanted.some((file) => file.startsWith('tests/')))
    process.env.TEST_SERVER_ENTRY = await buildSwitchableServer(root);
  const workers = Array.from({ length: Number(options.workers) }, () => startWorker(root));
  try {
    return summarise(await tryChosen(wanted, workers));
  } finally {
    for (const worker of workers) worker.stop();
    await server?.stop();
  }
}

async function tryChosen(
  wanted: readonly string[],
  workers: readonly GuardWorker[],
): Promise<{ results: Result[]; failures: string[] }> {
  const results = options.resume && existsSync(reportFile) ? readReport() : [];
  const known = new Set(results.map(({ id, code }) => id + code));
  const queue = chosen.filter(({ guard: { id, code } }) => !known.has(id + code));
  const numbers = new Map(queue.map(({ number, guard }) => [guard, number]));
  console.log(`${queue.length} guards to switch off, ${results.length} known already`);
  mkdirSync(dirname(reportFile), { recursive: true });
  let searched = false;
  const report = (guard: Guard, { kind, milliseconds, ...rest }: Tried) => {
    const { edit: _, ...described } = guard;
    const seconds = Math.round(milliseconds / 100) / 10;
    const number = numbers.get(guard) ?? 0;
    const result = { ...described, number, outcome: kind, ...rest, searched, seconds };
    results.push(result);
    console.log(`${kind.padEnd(8)}  ${inOneLine(result)}  (${seconds} s)`);
    writeFileSync(reportFile, JSON.stringify({ results }, null, 1));
  };

  const left = await tryWithLast([...numbers.keys()], { wanted, workers, report });
  let failures: string[] = [];
  searched = !options.search;
  if (left.length > 0) {
    const trace = await traceTests(root, workers, wanted);
    failures = trace.failures;
    for (const failure of failures) console.log(`fails with all guards on: ${failure}`);
    await tryGuards(left, (guard) => roundsFor(guard, trace), workers, report);
  }
  return { results: results.toSorted((a, b) => a.number - b.number), failures };
}

/** Tries guards with the test that noticed each last time; returns those that it did not notice, or that no test is known for. */
async function tryWithLast(
  guards: readonly Guard[],
  {
    wanted,
    workers,
    report,
  }: {
    wanted: readonly string[];
    workers: readonly GuardWorker[];
    report: (guard: Guard, tried: Tried) => void;
  },
): Promise<Guard[]> {
  const noticedBy = options.search ? new Map<string, Noticing>() : readNoticedBy(root);
  const trials = new Map<Guard, Trial[]>();
  for (const guard of guards) {
    const noticing = noticedBy.get(guard.id);
    const trial = noticing && trialWith(noticing, guard);
    if (trial?.selections.every(({ file }) => wanted.includes(file))) trials.set(guard, [trial]);
  }
  const noticed = new Set<Guard>();
  await tryGuards(
    [...trials.keys()],
    (guard) => trials.get(guard) ?? [],
    workers,
    (guard, tried) => {
      if (tried.kind !== 'noticed') return;
      noticed.add(guard);
      report(guard, tried);
    },
  );
  return guards.filter((guard) => !noticed.has(guard));
}

/** Remembers the tests of this run for the next, and forgets guards that are gone. */
function rememberTests(results: readonly Result[]): void {
  const ids = new Set(findGuards(sourceFiles(root)).map(({ id }) => id));
  const noticedBy = new Map([...readNoticedBy(root)].filter(([id]) => ids.has(id)));
  for (const { id, outcome, test, reload, searched } of results)
    if (outcome === 'noticed' && test)
      noticedBy.set(id, remembered({ test, reload }, noticedBy.get(id), searched));
    else noticedBy.delete(id);
  writeNoticedBy(root, noticedBy);
}

const readReport = (): Result[] =>
  (JSON.parse(readFileSync(reportFile, 'utf8')) as { results: Result[] }).results;
const inOneLine = ({ number, file, line, kind, code, becomes }: Result) =>
  `${number} ${file}:${line} ${kind}  ${code}  →  ${becomes}`;

function summarise({
  results,
  failures,
}: {
  results: readonly Result[];
  failures: readonly string[];
}): number {
  rememberTests(results);
  const of = (outcome: Outcome['kind']) => results.filter((result) => result.outcome === outcome);
  const [survived, broken] = [of('survived'), of('broken')];
  const minutes = Math.round((performance.now() - began) / 6_000) / 10;
  for (const result of broken) console.log(`broken    ${inOneLine(result)}\n          ${result.message}`);
  for (const result of survived) console.log(`survived  ${inOneLine(result)}  ${result.message ?? ''}`);
  console.log(
    `\n${results.length} guards switched off: ${of('noticed').length} noticed by an assertion, ` +
      `${broken.length} only broken, ${survived.length} survived; ${minutes} min; ${options.report}`,
  );
  return survived.length || failures.length ? 1 : 0;
}

if (options.list)
  for (const { number, guard } of chosen)
    console.log(`${number}  ${guard.id}  line ${guard.line}: ${guard.code}  →  ${guard.becomes}`);
else process.exitCode = await tryAll();
