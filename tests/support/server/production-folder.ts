import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';

interface Lockfile {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
}

/**
 * A folder with what a production machine gets: the build, package.json and the packages that `npm ci --omit=dev` installs.
 * @returns its path, and what deletes it
 */
export function productionFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'acre-production-'));
  const lockfile = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as Lockfile;
  const packages = Object.entries(lockfile.packages)
    .filter(([place, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) && !dev)
    .map(([place]) => place)
    .filter((place) => existsSync(join(projectRoot, place)));
  copy(['package.json', 'build/client', 'build/server', ...packages], path);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Links where it can, since the packages are several hundred megabytes. */
function copy(places: readonly string[], folder: string): void {
  try {
    execFileSync('cp', ['-al', '--parents', ...places, folder], { cwd: projectRoot, stdio: 'ignore' });
  } catch {
    for (const place of places) cpSync(join(projectRoot, place), join(folder, place), { recursive: true });
  }
}
