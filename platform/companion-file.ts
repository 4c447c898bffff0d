import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from './project-root.ts';

/**
 * A file that the server needs beside its own code: what runs in a process or thread of its own, or data. The build puts it beside
 * the built server (`scripts/companions.mjs`), which then needs no sources.
 * @param source path of the source from the project folder
 */
export function companionFile(source: string): string {
  const built = basename(source).replace(/\.ts$/, '.js');
  const places = ['.', '..'].map((up) => join(import.meta.dirname, up, 'companions', built));
  return places.find((place) => existsSync(place)) ?? join(projectRoot, source);
}
