import { createHash } from 'node:crypto';
import { type ByteRange, type FileStore, FileStoreError, type OpenFile, type PutFile } from './port.ts';
import { HEADER_BYTES, isSealed, missingKey, SealedFile, type SealingKey, seal } from './sealed-file.ts';
import { signFileLink } from './signed-link.ts';
import { checkedKey, checkLifetime, checkPut, checkRange } from './validation.ts';

/** Photos are public; everything else is somebody's. */
const isPrivate = (key: string): boolean => !key.startsWith('images/');

interface SealedOptions {
  store: FileStore;
  /** that of new files first; none: new files are stored as they are */
  keys: readonly SealingKey[];
  /** signs the links to private files */
  secret: string;
  now?: (() => Date) | undefined;
}

/**
 * Encrypts private files in any store, when there is a key. Files that were stored before stay readable as they are; those that are
 * encrypted need their key, also after it is no longer configured, and say so. Links to private files lead to our own server in any case: a
 * store would give out what is encrypted, and what is not without the headers that keep a browser from guessing its type.
 */
export function createSealedStore({ store, keys, secret, now = () => new Date() }: SealedOptions): FileStore {
  const [key] = keys;
  return {
    async put(file) {
      checkPut(file);
      if (key && isPrivate(file.key)) return put(store, key, file);
      // It would be taken for an encrypted one when it is read.
      if (isSealed(file.body))
        throw new FileStoreError('invalid', `${file.key} begins like an encrypted file`);
      return store.put(file);
    },
    async head(fileKey) {
      const plain = await store.head(fileKey);
      if (!plain || !isPrivate(fileKey)) return plain;
      const sealed = await sealedFile(store, keys, fileKey, plain.size);
      return sealed ? { ...plain, size: sealed.size, sha256: sealed.sha256 } : plain;
    },
    get: (fileKey, range) =>
      isPrivate(fileKey) ? get(store, keys, fileKey, range) : store.get(fileKey, range),
    delete: (fileKey) => store.delete(fileKey),
    list: (prefix, page) => store.list(prefix, page),
    async readUrl(fileKey, options) {
      checkLifetime(options.ttlSeconds);
      if (!isPrivate(checkedKey(fileKey))) return store.readUrl(fileKey, options);
      const expiresAt = new Date(now().getTime() + options.ttlSeconds * 1000);
      return signFileLink(secret, { key: fileKey, expiresAt, downloadName: options.downloadName });
    },
    check: () => store.check(),
  };
}

function put(store: FileStore, key: SealingKey, file: PutFile): Promise<{ etag: string }> {
  const body = seal(file.body, { key, fileKey: file.key, sha256: file.sha256 });
  const sha256 = createHash('sha256').update(body).digest('hex');
  return store.put({ ...file, body, sha256 }).then(() => ({ etag: `"${file.sha256.slice(0, 32)}"` }));
}

async function get(
  store: FileStore,
  keys: readonly SealingKey[],
  fileKey: string,
  range?: ByteRange,
): Promise<OpenFile | null> {
  if (range) checkRange(range);
  const metadata = await store.head(fileKey);
  if (!metadata) return null;
  const sealed = await sealedFile(store, keys, fileKey, metadata.size);
  if (!sealed) return store.get(fileKey, range);
  const { size } = sealed;
  const start = range?.start ?? 0;
  if (range && start >= size) throw new FileStoreError('range', `${fileKey} has ${size} bytes`);
  const about = { contentType: metadata.contentType, total: size };
  if (size === 0) return { ...about, body: new Blob([]).stream() };
  const end = Math.min(range?.end ?? size - 1, size - 1);
  const stored = await store.get(fileKey, sealed.storedRange(start, end));
  return stored && { ...about, body: stored.body.pipeThrough(sealed.opened(start, end)) };
}

/** The header of a file that is encrypted, or null for one that is stored as it is, or not at all. */
async function sealedFile(
  store: FileStore,
  keys: readonly SealingKey[],
  fileKey: string,
  size: number,
): Promise<SealedFile | null> {
  if (size < HEADER_BYTES) return null;
  const start = await store.get(fileKey, { start: 0, end: HEADER_BYTES - 1 });
  if (!start) return null;
  const header = new Uint8Array(await new Response(start.body).arrayBuffer());
  if (!isSealed(header)) return null;
  if (keys.length === 0) throw missingKey(fileKey, false);
  return new SealedFile(header, { keys, fileKey });
}
