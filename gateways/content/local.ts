import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '#platform/errors.ts';
import { type CidProfile, fileCid } from './cid.ts';
import { checkedCid } from './http.ts';
import { type ContentStore, ContentStoreError } from './port.ts';

/**
 * Keeps content in a folder of this machine, one file for each address. For trying out and for tests: no one but our own server
 * gives it out.
 */
export function createLocalStore({ folder, profile }: { folder: string; profile: CidProfile }): ContentStore {
  // An address is the name of a file here, so nothing else may pass.
  const pathOf = (cid: string) => join(folder, checkedCid(cid));
  return {
    provider: 'local',
    add: (bytes) => orUnavailable(add(folder, bytes, profile)),
    get: async (cid) => orUnavailable(read(pathOf(cid))),
    has: async (cid) => orUnavailable(exists(pathOf(cid))),
    remove: async (cid) => orUnavailable(rm(pathOf(cid), { force: true })),
    check: () => orUnavailable(check(folder)),
  };
}

async function add(folder: string, bytes: Uint8Array, profile: CidProfile): Promise<{ cid: string }> {
  const cid = fileCid(bytes, profile);
  const temporary = join(folder, '.tmp', randomUUID());
  await mkdir(join(folder, '.tmp'), { recursive: true });
  try {
    await writeFile(temporary, bytes, { flush: true });
    await rename(temporary, join(folder, cid));
  } finally {
    await rm(temporary, { force: true });
  }
  return { cid };
}

async function read(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function check(folder: string): Promise<void> {
  await mkdir(join(folder, '.tmp'), { recursive: true });
  await access(join(folder, '.tmp'), constants.R_OK | constants.W_OK);
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ContentStoreError) throw error;
    throw new ContentStoreError(
      'unavailable',
      'The folder of public content cannot be read or written',
      error,
    );
  }
}
