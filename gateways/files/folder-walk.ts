import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isKey } from './validation.ts';

/**
 * The keys of a folder that start with `prefix` and sort after `after`, in ASCII order of the full key, as a bucket
 * would list them. Reads only the folders that can contain such keys.
 */
export async function* keysIn(
  root: string,
  prefix: string,
  after: string,
  folder = '',
): AsyncGenerator<string> {
  for (const { path, isFolder } of await sorted(root, folder)) {
    if (!isFolder) {
      if (path.startsWith(prefix) && path > after && isKey(path)) yield path;
      continue;
    }
    const mayMatch = path.startsWith(prefix) || prefix.startsWith(path);
    const mayFollow = path > after || after.startsWith(path);
    if (mayMatch && mayFollow) yield* keysIn(root, prefix, after, path);
  }
}

async function sorted(root: string, folder: string) {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(empty);
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => {
      const isFolder = entry.isDirectory();
      // The slash counts in the sort order: 'a-b/' < 'a/' < 'a0/'.
      return { path: `${folder}${entry.name}${isFolder ? '/' : ''}`, isFolder };
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

function empty(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
