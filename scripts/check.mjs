import { pathToFileURL } from 'node:url';
import { bootstrap } from './bootstrap.mjs';

/**
 * Runs lint, types, architecture and license checks in parallel, and whether unit tests run every branch of the money code; prints
 * problems.
 * @returns true when there are none
 */
export async function check() {
  const { run } = await import('./stage.mjs');
  const types = async () => {
    // The route types are generated from routes.ts and not kept in the repository.
    const made = await run('react-router', ['typegen'], { quiet: true });
    return made.ok ? run('tsc', ['--noEmit'], { quiet: true }) : made;
  };
  const stages = await Promise.all(
    [
      ['lint and format', run('biome', ['check', '--no-errors-on-unmatched'], { quiet: true })],
      ['types', types()],
      ['architecture', run('scripts/check-architecture.ts', [], { quiet: true })],
      ['licenses and bill of materials', run('scripts/bill-of-materials.ts', [], { quiet: true })],
      ['branches of the money code', run('scripts/test-mutants.mjs', ['coverage'], { quiet: true })],
    ].map(async ([name, result]) => ({ name, ...(await result) })),
  );
  for (const { name, ok, output, seconds } of stages) {
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
    if (!ok) console.log(output.trimEnd());
  }
  return stages.every(({ ok }) => ok);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap(import.meta.url);
  process.exitCode = (await check()) ? 0 : 1;
}
