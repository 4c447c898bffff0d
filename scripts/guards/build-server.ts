import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, isBuilt } from '../build.mjs';
import { sourceHash } from '../source-hash.mjs';
import { run } from '../stage.mjs';

const FOLDER = 'build/guards';

/** Builds the server with switchable guards beside the real one; returns its main module. */
export async function buildSwitchableServer(root: string): Promise<string> {
  const stamp = join(root, FOLDER, 'sources.sha256');
  const hash = sourceHash(root) + rulesHash();
  const entry = `${FOLDER}/server/index.js`;
  if (!isBuilt()) await build();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return entry;
  const { ok, output } = await run(
    'react-router',
    ['build', '.', '--config', 'scripts/guards/vite.config.ts'],
    {
      quiet: true,
      env: { BUILD_DIRECTORY: FOLDER, NODE_ENV: 'production' },
    },
  );
  if (!ok) throw new Error(`The server with switchable guards cannot be built:\n${output}`);
  writeFileSync(stamp, hash);
  return entry;
}

/** What is guarded, and how it is made switchable. */
function rulesHash(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(import.meta.dirname).sort())
    hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash.digest('hex');
}
