import { bootstrap } from './bootstrap.mjs';

// `npm run test:mutants`: the tests of the pure money code cover every branch of it, and kill at least 90 % of its mutants
// (R15). Prints uncovered lines and survivors; exits with 1 below either threshold. What a run found is kept in
// `test-results/mutants.json`: the next one tries only what has changed since, in the code or its tests.
//   -- coverage    the branches alone, within seconds
//   -- FILE …      the mutants of these files alone
//   -- --force     all mutants again
await bootstrap(import.meta.url);
const { run } = await import('./stage.mjs');
const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));
const covered = await run('vitest', ['run', '--config', 'tests/mutants/vitest.config.ts', '--coverage']);
const killed =
  args[0] === 'coverage' ||
  (
    await run('stryker', [
      'run',
      'tests/mutants/stryker.config.json',
      ...(files.length > 0 ? ['--mutate', files.join(',')] : []),
      ...(args.includes('--force') ? ['--force'] : []),
    ])
  ).ok;
process.exitCode = covered.ok && killed ? 0 : 1;
