import type { Guard } from './guard.ts';
import type { Trace, TracedTest } from './run-tests.ts';
import type { Selection, Trial } from './trial.ts';

/** What one round of tests may take, by the time they took with all guards on, and how many files it may start. */
const ROUNDS = [
  { milliseconds: 5_000, files: 2 },
  { milliseconds: 40_000, files: 8 },
  { milliseconds: 240_000, files: 100 },
];

/**
 * The tests that pass a guard, in rounds: those that pass few other guards first, since they are about this one. A later
 * round is for what the earlier ones do not notice.
 */
export function roundsFor(guard: Guard, trace: Trace): Trial[] {
  const { tests, reload } = testsPassing(guard, trace);
  let rest = tests.toSorted(
    (a, b) =>
      rankOf(a, guard) - rankOf(b, guard) ||
      a.guards.length - b.guards.length ||
      a.milliseconds - b.milliseconds,
  );
  const rounds: Trial[] = [];
  for (const limits of ROUNDS) {
    const round = takeWithin(rest, limits);
    if (round.length > 0) rounds.push({ guard: guard.id, selections: selectionsOf(round), reload });
    rest = rest.filter((test) => !round.includes(test));
  }
  return rounds;
}

function testsPassing({ id, kind }: Guard, { tests, loaded }: Trace) {
  let passing = tests.filter((test) => test.guards.includes(id));
  if (kind === 'middleware') {
    // Passed once, when a server sets itself up: any test that talks to the server may notice it.
    const files = new Set(passing.map(({ file }) => file));
    passing = tests.filter(({ file }) => files.has(file));
  }
  // A guard in a table is passed once, when its module is loaded: any test of the file may notice it.
  const inFiles = tests.filter((test) => loaded[test.file]?.includes(id));
  return { tests: passing.length > 0 ? passing : inFiles, reload: inFiles.length > 0 };
}

/** The lower, the likelier a test is to notice a guard by an assertion. */
function rankOf({ file, name, guards }: TracedTest, guard: Guard): number {
  const ofMatrix = file.endsWith('matrix.test.ts');
  const [, feature = ''] = /^features\/([^/]+)/.exec(guard.file) ?? [];
  // What a permission or a transition refuses, the matrix of its own feature asserts.
  const ofFeature = ofMatrix && name.split(' > ').at(-1)?.startsWith(`${feature}/`);
  if (ofFeature && /^(?:permission|transition)$/.test(guard.kind)) return 0;
  // Only the matrix asserts that nobody is refused; other tests merely fail at a closed door.
  if (ofMatrix && guard.becomes === '() => false') return 0;
  if (file === guard.file.replace(/\.ts$/, '.test.ts')) return 1;
  const uses = guards.some((other) => other.startsWith(`${guard.file}#`)) ? 0 : 4;
  if (file.startsWith(guard.file.split('/').slice(0, 2).join('/'))) return 2 + uses;
  if (ofMatrix) return 3 + uses;
  return (file.endsWith('routes.test.ts') ? 4 : 5) + uses;
}

function takeWithin(
  tests: readonly TracedTest[],
  limits: { milliseconds: number; files: number },
): TracedTest[] {
  const files = new Set<string>();
  const taken: TracedTest[] = [];
  let milliseconds = 0;
  for (const test of tests) {
    if (taken.length > 0 && milliseconds + test.milliseconds > limits.milliseconds) continue;
    if (!files.has(test.file) && files.size === limits.files) continue;
    files.add(test.file);
    milliseconds += test.milliseconds;
    taken.push(test);
  }
  return taken;
}

const selectionsOf = (tests: readonly TracedTest[]): Selection[] =>
  [...Map.groupBy(tests, ({ file }) => file)].map(([file, of]) => ({
    file,
    names: of.map(({ name }) => name),
  }));
