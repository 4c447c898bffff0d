import { bootstrap } from './bootstrap.mjs';

// `npm run test:mutants`: mutation tests of the pure money code. The tests must kill at least 90 % of the mutants (R15).
// Prints the survivors; exits with 1 below the threshold.
await bootstrap(import.meta.url);
const { run } = await import('./stage.mjs');
const { ok } = await run('stryker', ['run', 'tests/mutants/stryker.config.json']);
process.exitCode = ok ? 0 : 1;
