import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { HeaviestFirst } from './tests/support/heaviest-first.ts';

// Most of the start of a test process is compiling the same packages.
process.env.NODE_COMPILE_CACHE ||= join(import.meta.dirname, 'node_modules/.cache/compiled');

// No React Router plugin: pages are tested in a browser against the production build.
export default defineConfig({
  test: {
    pool: 'forks',
    // One more than cores: tests wait for the database, for processes and for minimum durations.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: HeaviestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Files share a process, which loads the packages and compiles the embedded database once. Each has databases of its own.
    isolate: false,
    // The embedded database is compiled once in a test process, and not a second time for more speed.
    execArgv: ['--liftoff-only'],
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'build/**', 'data/**', 'tests/e2e/**'],
  },
});
