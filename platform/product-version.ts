import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-root.ts';

/**
 * Which version of this program runs: that of the package, and the beginning of the hash of the sources that it was built from, which an
 * image has although it knows no repository. Null for what runs without having been built.
 */
export function productVersion(): { version: string; build: string | null } {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  try {
    return { version, build: readFileSync(join(projectRoot, 'build/sources.sha256'), 'utf8').slice(0, 12) };
  } catch {
    return { version, build: null };
  }
}
