import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { HeaviestFirst } from './tests/support/heaviest-first.ts';

// Every file has a process of its own, most of whose start is compiling the same packages.
process.env.NODE_COMPILE_CACHE ||= join(import.meta.dirname, 'node_modules/.cache/compiled');

const notOurs = ['node_modules/**', 'build/**', 'data/**', 'tests/e2e/**'];
/** Rules without a database or a process, which share one process instead of each starting its own. */
const rules = { include: ['{app,features,illustrator,ui}/**/*.test.{ts,tsx}'], exclude: ['**/*.db.test.ts'] };

// No React Router plugin: pages are tested in a browser against the production build.
export default defineConfig({
  test: {
    pool: 'forks',
    // One more than cores: tests wait for the database, for processes and for minimum durations.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: HeaviestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'rules', ...rules, isolate: false } },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...notOurs, '{app,features,illustrator,ui}/**/!(*.db).test.{ts,tsx}'],
          // The embedded database is compiled once in a test process, and not a second time for more speed.
          execArgv: ['--liftoff-only'],
        },
      },
    ],
  },
});
