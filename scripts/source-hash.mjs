import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Everything that goes into the build; tests and documents do not.
const SOURCES = [
  'app',
  'demo',
  'features',
  'gateways',
  'illustrator',
  'platform',
  'public',
  'routing',
  'ui',
  'vite',
  'scripts/build.mjs',
  'scripts/chunks.ts',
  'scripts/companions.mjs',
  'scripts/left-out.ts',
  'package.json',
  'package-lock.json',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
];
const isSource = (name) => !/\.test\.tsx?$|\.md$|^\./.test(name);

/** A hash of the path and content of every source file; takes about 30 ms. */
export function sourceHash(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES) addTo(hash, root, source);
  return hash.digest('hex');
}

function addTo(hash, root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) if (isSource(name)) addTo(hash, root, `${path}/${name}`);
  } else {
    const content = readFileSync(full);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
}
