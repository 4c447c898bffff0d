import { bootstrap } from './bootstrap.mjs';

// `npm run test:mutants`: the tests of the pure money code cover every branch of it, and kill at least 90 % of its mutants
// (R15). Prints uncovered lines and survivors; exits with 1 below either threshold.
//   -- coverage   the branches alone, within seconds
await bootstrap(import.meta.url);
const { run } = await import('./stage.mjs');
const covered = await run('vitest', ['run', '--config', 'tests/mutants/vitest.config.ts', '--coverage']);
const killed =
  process.argv[2] === 'coverage' || (await run('stryker', ['run', 'tests/mutants/stryker.config.json'])).ok;
process.exitCode = covered.ok && killed ? 0 : 1;
