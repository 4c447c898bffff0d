import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { decisions, doors } from './guards/known.ts';
import { applyMutant, describeMutant, foundGuards, type Mutant } from './guards/mutant.ts';

// `npm run test:guards [-- PART …]`: takes every guard away in turn, in copies of the tree, and runs the access tests on
// each: a mutant that they do not notice has survived. Ends with 1 when one has. PART: only files whose name has one of them.

/** By the file of a guard, the names of the cells that are the likeliest to notice. */
const NEAREST: [RegExp, string][] = [
  [/^features\/([^/]+)\/(reads|commands\/[^/]+)\.ts$/, ' $1/$2#'],
  [/^features\/([^/]+)\/.*$/, ' $1/'],
  [/^gateways\/payments\/.*$/, ' purchases/commands/receive-message'],
  [/^platform\/db\/.*$/, ' (listings/reads|search/reads)'],
  [/^platform\/access.*$/, ' watches/'],
  [/^platform\/auth.*$/, ' accounts/(reads|commands/reset)'],
];

/** Tests beside a guard that also have to do with who may do what. */
const BESIDE: [string, string[]][] = [
  ['platform/db/', ['features/listings/listings.db.test.ts', 'features/search/visibility.db.test.ts']],
  ['features/accounts/rules.ts', ['features/accounts/rules.test.ts']],
];
/** A machine that is too busy notices nothing about guards. */
const TOO_LATE = /timed out|timeout exceeded|did not become ready/i;

const root = join(import.meta.dirname, '..');
const LANES = 2;
const parts = process.argv.slice(2);
const wanted = ({ file }: Mutant) => parts.length === 0 || parts.some((part) => file.includes(part));
const inFeatures = [...foundGuards(root), ...decisions]
  .filter(wanted)
  .map((mutant) => ({ mutant, web: false }));
const inDoors = doors.filter(wanted).map((mutant) => ({ mutant, web: true }));
const queue = [...inFeatures, ...inDoors];
const total = queue.length;
const survivors: string[] = [];
const temporary = mkdtempSync(join(tmpdir(), 'acre-guards-'));
const began = performance.now();

try {
  // A list that no longer fits the sources must fail before anything runs.
  for (const { mutant } of queue) applyMutant(mutant, readFileSync(join(root, mutant.file), 'utf8'));
  const trees = Array.from({ length: Math.min(LANES, total) }, (_, lane) =>
    copyTree(join(temporary, `tree-${lane}`)),
  );
  const [first] = trees;
  if (!first) throw new Error(`No guard is in a file with ${parts.join(' or ')} in its name`);
  console.log(`${total} guards; first the access tests on the untouched tree`);
  if (!(await isNoticed(first, true, '')).passed)
    throw new Error('The access tests fail on the untouched tree');
  await Promise.all(trees.map(work));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
const minutes = Math.round((performance.now() - began) / 6_000) / 10;
console.log(
  `\n${total} guards taken away, ${total - survivors.length} noticed, ${survivors.length} not; ${minutes} min`,
);
for (const survivor of survivors) console.log(`  survived  ${survivor}`);
process.exitCode = survivors.length ? 1 : 0;

async function work(tree: string): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { mutant, web } = next;
    const path = join(tree, mutant.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, applyMutant(mutant, text));
    const { passed, seconds } = await isNoticed(tree, web, mutant.file);
    writeFileSync(path, text);
    const name = describeMutant(mutant, text);
    if (passed) survivors.push(name);
    console.log(`${passed ? 'SURVIVED' : 'noticed '}  ${name}  (${seconds.toFixed(0)} s)`);
  }
}

/** Runs the tests that may notice: first those of the operation itself, then, when they pass, all. */
async function isNoticed(tree: string, web: boolean, file: string) {
  const nearest = NEAREST.find(([files]) => files.test(file));
  const tests = (args: string[]) =>
    inTree(tree, 'node_modules/vitest/vitest.mjs', ['run', '--bail=1', ...args]);
  let seconds = 0;
  const passes = async (stage: Promise<{ ok: boolean; seconds: number }>) => {
    const result = await stage;
    seconds += result.seconds;
    return result.ok;
  };
  const matrix = 'tests/access/matrix.test.ts';
  const beside = BESIDE.find(([start]) => file.startsWith(start))?.[1];
  if (beside && !(await passes(tests(beside)))) return { passed: false, seconds };
  if (!web) {
    const name = nearest && file.replace(...nearest);
    if (name && !(await passes(tests([matrix, '-t', name])))) return { passed: false, seconds };
    return { passed: await passes(tests([matrix])), seconds };
  }
  // A tree that cannot be built shows nothing about its tests.
  if (!(await passes(inTree(tree, 'scripts/build.mjs', [])))) throw new Error(`${file} cannot be built`);
  if (!(await passes(tests(['tests/access/routes.test.ts'])))) return { passed: false, seconds };
  return { passed: file !== '' || (await passes(tests([matrix]))), seconds };
}

/** Runs a file of a tree on the embedded database; once more when it failed for want of time. */
async function inTree(tree: string, file: string, args: string[]): Promise<{ ok: boolean; seconds: number }> {
  const first = await runOnce(tree, file, args);
  if (first.ok || !TOO_LATE.test(first.output)) return first;
  const second = await runOnce(tree, file, args);
  if (!second.ok && TOO_LATE.test(second.output))
    throw new Error(`The machine is too busy:\n${second.output}`);
  return { ok: second.ok, seconds: first.seconds + second.seconds };
}

function runOnce(tree: string, file: string, args: string[]) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(tree, file), ...args], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TEST_DATABASE_URL: '', DATABASE_URL: '', TMPDIR: join(tree, '.tmp') },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  return new Promise<{ ok: boolean; seconds: number; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ ok: code === 0, seconds: (performance.now() - started) / 1000, output }),
    );
  });
}

/** The files of the repository as they are now, beside the installed packages. */
function copyTree(to: string): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file), { force: true });
  }
  mkdirSync(join(to, '.tmp'));
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
  return to;
}
