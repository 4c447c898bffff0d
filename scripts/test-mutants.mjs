import { bootstrap } from './bootstrap.mjs';

// `npm run test:mutants`: changes the pure money code in every small way that there is and expects its tests to notice at
// least 90 % (R15). Prints what nobody noticed; ends with 1 below that.
await bootstrap(import.meta.url);
const { run } = await import('./stage.mjs');
const { ok } = await run('stryker', ['run', 'tests/mutants/stryker.config.json']);
process.exitCode = ok ? 0 : 1;
