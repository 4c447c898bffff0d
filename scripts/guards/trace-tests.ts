import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trace } from './run-tests.ts';
import type { GuardWorker } from './start-worker.ts';

/** The tests that may notice a guard: of the features, of what they stand on, and of access as a whole. */
const TESTS =
  /^(?:(?:app|features|platform)\/|gateways\/(?:files|payments)\/|tests\/access\/(?!fuzz)|tests\/promises\/limits)/;
/** Without those that pass none, those that take minutes, and those that only say that a document is out of date. */
const OTHERS = /^platform\/(?:db|events|jobs|outbox)\/|full-scan-comparison|-docs\.test\.ts$/;
const CACHE = 'node_modules/.cache/guards';
const FILES_AT_ONCE = 6;

/**
 * Runs the tests with all guards on and notes which test passes which. What is known of a test file is used again as long as
 * neither it nor anything but other tests has changed.
 */
export async function traceTests(
  root: string,
  workers: readonly GuardWorker[],
  wanted: readonly string[],
): Promise<Trace> {
  const folder = join(root, CACHE, hashOfSources(root));
  mkdirSync(folder, { recursive: true });
  const known = (file: string) => join(folder, `${hashOf(file, readFileSync(join(root, file)))}.json`);
  const queue = wanted.filter((file) => !existsSync(known(file)));
  if (queue.length > 0)
    console.log(`${queue.length} files of tests with all guards on, to see which test passes which guard`);
  const failures: string[] = [];
  const parts = wanted
    .filter((file) => existsSync(known(file)))
    .map((file) => JSON.parse(readFileSync(known(file), 'utf8')) as Trace);
  await Promise.all(
    workers.map(async ({ ask }, index) => {
      for (let next = takeFrom(queue); next.length > 0; next = takeFrom(queue)) {
        const traceFile = join(root, CACHE, `passed-${process.pid}-${index}`);
        writeFileSync(traceFile, '');
        const answer = await ask({ kind: 'trace', files: next, traceFile });
        console.log(`  ${next.join('\n  ')}`);
        if (answer.kind === 'failed') failures.push(`${next.join(' ')}: ${answer.message}`);
        if (answer.kind !== 'traced') continue;
        failures.push(...answer.trace.failures);
        for (const file of next) {
          const part = partOf(answer.trace, file);
          parts.push(part);
          if (!answer.trace.failures.some((failure) => failure.startsWith(file)))
            writeFileSync(known(file), JSON.stringify(part));
        }
      }
    }),
  );
  return {
    tests: parts.flatMap(({ tests }) => tests),
    loaded: Object.assign({}, ...parts.map(({ loaded }) => loaded)) as Trace['loaded'],
    failures,
  };
}

/** Slow files one by one, so that no worker is left with several at the end. */
const takeFrom = (queue: string[]): string[] =>
  queue.splice(0, slowness(queue[0] ?? '') < 1 ? 1 : FILES_AT_ONCE);

const partOf = ({ tests, loaded }: Trace, file: string): Trace => ({
  tests: tests.filter((test) => test.file === file),
  loaded: loaded[file] ? { [file]: loaded[file] } : {},
  failures: [],
});

/** The test files that a run may use, the slowest first. */
export function testFiles(root: string, wanted: RegExp): string[] {
  return filesOf(root)
    .filter((file) => isTest(file) && TESTS.test(file) && !OTHERS.test(file) && wanted.test(file))
    .sort((a, b) => slowness(a) - slowness(b));
}

const slowness = (file: string): number =>
  /(?:routes|matrix|developer-pages|promises\/limits)\.test/.test(file) ? 0 : file.includes('.db.') ? 1 : 2;
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

const filesOf = (root: string): string[] =>
  ['app', 'features', 'gateways', 'platform', 'routing', 'tests', 'scripts/guards'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${room}/${file.replaceAll('\\', '/')}`,
    ),
  );

const hashOf = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
};

/** Everything but the tests themselves. */
function hashOfSources(root: string): string {
  const files = filesOf(root)
    .filter((name) => /\.(?:ts|tsx|json)$/.test(name) && !isTest(name) && !name.startsWith('tests/e2e/'))
    .sort();
  return hashOf(
    process.env.TEST_DATABASE_URL ? 'PostgreSQL' : 'embedded',
    ...files.flatMap((file) => [file, readFileSync(join(root, file))]),
  );
}
