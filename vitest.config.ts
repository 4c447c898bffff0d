import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { HeaviestFirst } from './tests/support/heaviest-first.ts';

// Most of the start of a test process is compiling the same packages.
process.env.NODE_COMPILE_CACHE ||= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Rules without a database or a process, which share one process instead of each starting its own. */
const rules = { include: ['{app,features,illustrator,ui}/**/*.test.{ts,tsx}'], exclude: ['**/*.db.test.ts'] };
/** Signing in is tested with the passwords of production; how the image process starts, where none runs yet. */
const withOwnProcess = [
  'features/accounts/commands/sign-in.db.test.ts',
  'gateways/images/image-worker-start.test.ts',
];
/** Features, and forms of pages, with databases of their own, which share a process for each worker: loading their modules is a third of the work. */
const features = {
  include: ['{app,features}/**/*.db.test.ts', 'gateways/**/*.test.ts'],
  exclude: withOwnProcess,
  setupFiles: ['tests/support/fixtures/use-quick-passwords.ts'],
};

// No React Router plugin: pages are tested in a browser against the production build.
export default defineConfig({
  test: {
    pool: 'forks',
    // One more than cores: tests wait for the database, for processes and for minimum durations.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: HeaviestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The embedded database is compiled once in a test process, and not a second time for more speed.
    execArgv: ['--liftoff-only'],
    projects: [
      { extends: true, test: { name: 'rules', ...rules, isolate: false } },
      { extends: true, test: { name: 'features', ...features, isolate: false } },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['{demo,platform,scripts,tests}/**/*.test.ts', ...withOwnProcess],
          exclude: ['tests/e2e/**'],
          // They wait for processes to start and to end, beside others that do the same.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
