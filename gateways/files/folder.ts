import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { keysIn } from './folder-walk.ts';
import { type ByteRange, type FileStore, FileStoreError, type OpenFile, type PutFile } from './port.ts';
import { signFileLink } from './signed-link.ts';
import { checkedKey, checkedPage, checkLifetime, checkPut, checkRange, contentTypeOf } from './validation.ts';

/** `secret` signs the links of `readUrl`. */
type FolderOptions = { folder: string; secret: string; now?: () => Date };

/**
 * Stores each file unchanged under its key inside `folder`: content types follow from the extensions, digests are
 * computed on request. Files are written to `.tmp` first and then moved into place.
 */
export function createFolderStore({ folder, secret, now = () => new Date() }: FolderOptions): FileStore {
  const pathOf = (key: string) => join(folder, checkedKey(key));
  return {
    put: (file) => orUnavailable(put(folder, file)),
    head: async (key) => orUnavailable(head(pathOf(key), key)),
    get: async (key, range) => orUnavailable(get(pathOf(key), key, range)),
    delete: async (key) => orUnavailable(rm(pathOf(key), { force: true })),
    list: (prefix, page) => orUnavailable(list(folder, prefix, page)),
    async readUrl(key, { ttlSeconds, downloadName }) {
      checkLifetime(ttlSeconds);
      const expiresAt = new Date(now().getTime() + ttlSeconds * 1000);
      return signFileLink(secret, { key: checkedKey(key), expiresAt, downloadName });
    },
    check: () => orUnavailable(check(folder)),
  };
}

async function put(folder: string, file: PutFile): Promise<{ etag: string }> {
  checkPut(file);
  const target = join(folder, file.key);
  const temporary = join(folder, '.tmp', randomUUID());
  await Promise.all([
    mkdir(dirname(temporary), { recursive: true }),
    mkdir(dirname(target), { recursive: true }),
  ]);
  try {
    await writeFile(temporary, file.body, { flush: true });
    // link() fails when the target exists; rename() would replace it.
    if (file.ifAbsent) await link(temporary, target);
    else await rename(temporary, target);
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST'))
      throw new FileStoreError('conflict', `${file.key} exists already`, error);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return { etag: `"${file.sha256.slice(0, 32)}"` };
}

async function head(path: string, key: string) {
  const handle = await openIfThere(path);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    const hash = createHash('sha256');
    await pipeline(handle.createReadStream({ autoClose: false }), hash);
    return { size, contentType: contentTypeOf(key), sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

async function get(path: string, key: string, range?: ByteRange): Promise<OpenFile | null> {
  if (range) checkRange(range);
  const handle = await openIfThere(path);
  if (handle === null) return null;
  const { size: total } = await handle.stat();
  const { start = 0, end = total - 1 } = range ?? {};
  const metadata = { contentType: contentTypeOf(key), total };
  if (range && start >= total) {
    await handle.close();
    throw new FileStoreError('range', `${key} has ${total} bytes`);
  }
  if (total === 0) {
    await handle.close();
    return { ...metadata, body: new Blob([]).stream() };
  }
  const stream = createReadStream(path, { fd: handle, start, end: Math.min(end, total - 1) });
  return { ...metadata, body: Readable.toWeb(stream) as ReadableStream<Uint8Array> };
}

async function list(folder: string, prefix: string, page?: { after?: string; limit?: number }) {
  const limit = checkedPage(prefix, page);
  const keys: string[] = [];
  for await (const key of keysIn(folder, prefix, page?.after ?? '')) {
    if (keys.length === limit) return { keys, next: keys.at(-1) };
    keys.push(key);
  }
  return { keys };
}

async function check(folder: string): Promise<void> {
  await mkdir(join(folder, '.tmp'), { recursive: true });
  await access(join(folder, '.tmp'), constants.R_OK | constants.W_OK);
}

async function openIfThere(path: string) {
  try {
    return await open(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FileStoreError) throw error;
    throw new FileStoreError('unavailable', 'The folder of files cannot be read or written', error);
  }
}
