import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createVitest,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import { guardSwitches } from './plugin.ts';
import { type Trial, trialFile, trialOf, withoutTrial } from './trial.ts';

/** A test, and what it passed when all guards were on. */
export interface TracedTest {
  file: string;
  /** with the names of its suites */
  name: string;
  milliseconds: number;
  guards: string[];
}

export interface Trace {
  tests: TracedTest[];
  /** by test file, the guards passed while its modules were loaded */
  loaded: Record<string, string[]>;
  failures: string[];
}

export type Outcome =
  | { kind: 'survived'; message?: string }
  /** an assertion failed */
  | { kind: 'noticed'; test: string; message: string }
  /** something else went wrong, which says nothing about the guard */
  | { kind: 'broken'; test: string; message: string };

interface TestRunner {
  trace(files: readonly string[], traceFile: string): Promise<Trace>;
  /** Runs trials one after another in one process; each ends with the first assertion that fails. */
  tryOut(trials: readonly Trial[], onEnd: (trial: number, outcome: Outcome) => void): Promise<void>;
  close(): Promise<void>;
}

const SWITCH = new URL('switch.ts', import.meta.url);

/** A Vitest whose modules stay transformed from run to run; every run has a process of its own. */
export async function openTestRunner(root: string): Promise<TestRunner> {
  let onModuleEnd = (_: TestModule) => {};
  const vitest = await createVitest(
    {
      root,
      config: false,
      watch: false,
      pool: 'forks',
      maxWorkers: 1,
      isolate: false,
      // A cache on disk does not see that a rule has changed.
      fsModuleCache: false,
      reporters: [{ onTestModuleEnd: (module) => onModuleEnd(module) }],
      setupFiles: ['scripts/guards/test-setup.ts'],
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
    { plugins: [guardSwitches(root)], logLevel: 'error' },
  );
  await vitest.standalone();
  const { NODE_OPTIONS = '' } = process.env;
  const preload = (query: Record<string, string>) => {
    const url = new URL(`?${new URLSearchParams(query)}`, pathToFileURL(SWITCH.pathname));
    process.env.NODE_OPTIONS = `${NODE_OPTIONS} --import=${url.href}`.trim();
  };
  const project = vitest.getRootProject();
  return {
    async trace(files, traceFile) {
      preload({ trace: traceFile });
      process.env.GUARD_TRACE = traceFile;
      const testNamePattern = onOneDatabase();
      const modules = await runTests(
        vitest,
        files.map((file) => project.createSpecification(`${root}/${file}`, { testNamePattern })),
      );
      delete process.env.GUARD_TRACE;
      // Those of earlier runs are among them.
      const asked = modules.filter(({ moduleId }) => files.includes(relative(root, moduleId)));
      return traceOf(root, asked);
    },
    async tryOut(trials, onEnd) {
      preload({});
      process.env.GUARD_TRIALS = JSON.stringify(trials.map(({ guard, reload }) => ({ guard, reload })));
      const specifications = trials.flatMap(({ selections }, number) =>
        selections.map(({ file, names }) =>
          project.createSpecification(`${root}/${trialFile(file, number)}`, {
            testNames: names,
            testNamePattern: names ? undefined : onOneDatabase(),
          }),
        ),
      );
      const ended = new Map<number, TestModule[]>();
      onModuleEnd = (module) => {
        const number = trialOf(module.moduleId) ?? -1;
        const modules = [...(ended.get(number) ?? []), module];
        ended.set(number, modules);
        if (modules.length === trials[number]?.selections.length) onEnd(number, outcomeOf(root, modules));
      };
      await runTests(vitest, specifications);
    },
    close: () => vitest.close(),
  };
}

/** Where tests run on both databases, PostgreSQL is enough, and faster: a guard does not depend on the database. */
const onOneDatabase = () => (process.env.TEST_DATABASE_URL ? /^(?!.*\(embedded\))/ : undefined);

async function runTests(vitest: Vitest, specifications: TestSpecification[]): Promise<TestModule[]> {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  vitest.state.clearErrors();
  const [error] = unhandledErrors;
  if (error && testModules.length === 0) throw error;
  return testModules;
}

function traceOf(root: string, modules: readonly TestModule[]): Trace {
  const trace: Trace = { tests: [], loaded: {}, failures: [] };
  for (const module of modules) {
    const file = relative(root, module.moduleId);
    for (const error of module.errors()) trace.failures.push(`${file}: ${error.message}`);
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === 'failed') trace.failures.push(`${file} > ${test.fullName}: ${errors?.[0]?.message}`);
      if (state !== 'passed') continue;
      const { guards = [], loaded } = test.meta();
      if (loaded) trace.loaded[file] = loaded;
      trace.tests.push({
        file,
        name: nameOf(test),
        milliseconds: test.diagnostic()?.duration ?? 0,
        guards,
      });
    }
  }
  return trace;
}

/** As in `testNames` of a specification. */
function nameOf(test: TestCase): string {
  const names = [test.name];
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) names.unshift(parent.name);
  return names.join(' > ');
}

/** An assertion that fails counts for more than whatever else goes wrong. */
function outcomeOf(root: string, modules: readonly TestModule[]): Outcome {
  const found = modules.flatMap((module) => {
    const file = withoutTrial(relative(root, module.moduleId));
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    return [
      ...[...module.errors(), ...suites].map((error) => ({ test: file, error })),
      ...[...module.children.allTests('failed')].flatMap((test) =>
        (test.result().errors ?? []).map((error) => ({ test: `${file} > ${nameOf(test)}`, error })),
      ),
    ];
  });
  const failure = found.find(({ error }) => error.name === 'AssertionError') ?? found[0];
  if (!failure) {
    const ran = modules.flatMap((module) => [...module.children.allTests('passed')]);
    return ran.length > 0 ? { kind: 'survived' } : { kind: 'broken', test: '', message: 'No test ran' };
  }
  const { test, error } = failure;
  const message = (error.message ?? '').split('\n').slice(0, 3).join(' ').slice(0, 300);
  return { kind: error.name === 'AssertionError' ? 'noticed' : 'broken', test, message };
}
