import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSwitchableServer } from './guards/build-server.ts';
import { findGuards, sourceFiles } from './guards/find-guards.ts';
import type { Guard } from './guards/guard.ts';
import type { Outcome, Trace } from './guards/run-tests.ts';
import { type GuardWorker, startWorker } from './guards/start-worker.ts';
import { testFiles, traceTests } from './guards/trace-tests.ts';
import { tryGuards } from './guards/try-guards.ts';
import { findPostgres } from './postgres.mjs';

// `npm run test:guards`: switches every access guard off in turn and runs the tests that pass it. A guard that no assertion
// misses has survived; one whose absence only makes something fail is broken. Exits with 1 if any has survived.
//   -- --only PATTERN   guards whose id or code matches, e.g. `features/sales` or `#ownership`
//   -- --from NUMBER    leave out those before it in the list
//   -- --shard 2/3      the second third of them
//   -- --tests PATTERN  only test files whose path matches may notice it
//   -- --resume         keep the results of the report
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
    list: { type: 'boolean', default: false },
  },
});

/** A guard and what came of switching it off. */
interface Result extends Omit<Guard, 'edit'> {
  number: number;
  outcome: Outcome['kind'];
  test?: string;
  message?: string;
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
    const trace = await traceTests(root, workers, wanted);
    for (const failure of trace.failures) console.log(`fails with all guards on: ${failure}`);
    const results = await tryChosen(trace, workers);
    return summarise(results, trace);
  } finally {
    for (const worker of workers) worker.stop();
    await server?.stop();
  }
}

async function tryChosen(trace: Trace, workers: readonly GuardWorker[]): Promise<Result[]> {
  const results = options.resume && existsSync(reportFile) ? readReport() : [];
  const known = new Set(results.map(({ id, code }) => id + code));
  const queue = chosen.filter(({ guard: { id, code } }) => !known.has(id + code));
  const numbers = new Map(queue.map(({ number, guard }) => [guard, number]));
  console.log(`${queue.length} guards to switch off, ${results.length} known already`);
  mkdirSync(dirname(reportFile), { recursive: true });
  await tryGuards([...numbers.keys()], trace, workers, (tried, { kind, ...rest }, milliseconds) => {
    const { edit: _, ...guard } = tried;
    const number = numbers.get(tried) ?? 0;
    const seconds = Math.round(milliseconds / 100) / 10;
    const result = { ...guard, number, outcome: kind, ...rest, seconds };
    results.push(result);
    console.log(`${kind.padEnd(8)}  ${inOneLine(result)}  (${seconds} s)`);
    writeFileSync(reportFile, JSON.stringify({ results }, null, 1));
  });
  return results.toSorted((a, b) => a.number - b.number);
}

const readReport = (): Result[] =>
  (JSON.parse(readFileSync(reportFile, 'utf8')) as { results: Result[] }).results;
const inOneLine = ({ number, file, line, kind, code, becomes }: Result) =>
  `${number} ${file}:${line} ${kind}  ${code}  →  ${becomes}`;

function summarise(results: readonly Result[], { failures }: Trace): number {
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
