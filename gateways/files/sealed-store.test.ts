import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toFilesKey } from '#platform/config-content.ts';
import { startFakeS3 } from '#tests/support/files/fake-s3.ts';
import { type FileStoreFixture, fileStoreContract, textFile } from './contract.ts';
import { createFolderStore } from './folder.ts';
import { openFileStore } from './open.ts';
import type { FileStore } from './port.ts';
import { createS3Store } from './s3.ts';
import { parseS3Url } from './s3-url.ts';
import { HEADER_BYTES, type SealingKey } from './sealed-file.ts';
import { createSealedStore } from './sealed-store.ts';
import { verifyFileLink } from './signed-link.ts';
import { attachmentDisposition } from './validation.ts';

const SECRET = 'a secret for tests';
const KEY = toFilesKey('11'.repeat(32));
const OTHER = toFilesKey('22'.repeat(32));

/** The contract on a folder, with links as our own server answers them. */
const fixtureWith = (keys: readonly SealingKey[]) => async (): Promise<FileStoreFixture> => {
  const root = await mkdtemp(join(tmpdir(), 'acre-sealed-'));
  const folder = join(root, 'files');
  let now = new Date('2026-11-20T12:00:00Z');
  const inner = createFolderStore({ folder, secret: SECRET, now: () => now });
  const store = createSealedStore({ store: inner, keys, secret: SECRET, now: () => now });
  return {
    store,
    advance(seconds) {
      now = new Date(now.getTime() + seconds * 1000);
    },
    async open(link) {
      const { pathname, searchParams: query } = new URL(link, 'http://acre.test');
      const key = pathname.replace(/^\/files\//, '');
      const verdict = verifyFileLink(SECRET, { key, query, now });
      if (!verdict.ok) return { status: 403, body: verdict.reason, disposition: null };
      const file = await store.get(key);
      const { downloadName } = verdict;
      const disposition = downloadName === undefined ? null : attachmentDisposition(downloadName);
      return { status: 200, body: await new Response(file?.body).text(), disposition };
    },
    async sabotage() {
      await rm(folder, { recursive: true, force: true });
      await writeFile(folder, 'a file where the folder should be');
    },
    stop: () => rm(root, { recursive: true, force: true }),
  };
};

fileStoreContract('encrypted, in a folder', fixtureWith([KEY]));
fileStoreContract('encryption without a key', fixtureWith([]));

const bytesOf = async (store: FileStore, key: string, range?: { start: number; end?: number }) => {
  const file = await store.get(key, range);
  return file && Buffer.from(await new Response(file.body).arrayBuffer());
};
const binary = (key: string, body: Buffer) => ({
  key,
  body,
  contentType: key.endsWith('webp') ? 'image/webp' : 'application/pdf',
  sha256: createHash('sha256').update(body).digest('hex'),
});

describe('files at rest', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'acre-sealed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = (...keys: SealingKey[]) =>
    createSealedStore({ store: createFolderStore({ folder, secret: SECRET }), keys, secret: SECRET });
  const onDisk = (key: string) => readFile(join(folder, key));

  test('hold nothing that can be read, and never the same twice; public photos stay as they are', async () => {
    const body = Buffer.alloc(200_000, 'Confidential deed. ');
    await open(KEY).put(binary('documents/a.pdf', body));
    await open(KEY).put(binary('documents/b.pdf', body));
    const [a, b] = await Promise.all([onDisk('documents/a.pdf'), onDisk('documents/b.pdf')]);
    expect(a.includes('Confidential')).toBe(false);
    expect(a.includes(createHash('sha256').update(body).digest())).toBe(false);
    expect(a.subarray(HEADER_BYTES).equals(b.subarray(HEADER_BYTES))).toBe(false);
    await open(KEY).put(binary('images/x/640.webp', body));
    expect((await onDisk('images/x/640.webp')).equals(body)).toBe(true);
  });

  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_001])(
    'give back every range of %i bytes',
    async (size) => {
      const body = Buffer.alloc(size, Buffer.from([...Array(251).keys()]));
      const store = open(KEY);
      await store.put(binary('documents/a.pdf', body));
      expect((await bytesOf(store, 'documents/a.pdf'))?.equals(body)).toBe(true);
      expect(await store.head('documents/a.pdf')).toMatchObject({
        size,
        sha256: createHash('sha256').update(body).digest('hex'),
      });
      const edges = [0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, size - 1].filter(
        (at) => at < size && at >= 0,
      );
      for (const start of edges)
        for (const end of edges.filter((at) => at >= start)) {
          const piece = await bytesOf(store, 'documents/a.pdf', { start, end });
          expect(piece?.equals(body.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
        }
    },
  );

  test('stored before there was a key stay readable, and are told apart', async () => {
    await open().put(textFile('documents/old.txt', 'plain'));
    await open().put(textFile('documents/tiny.txt', ''));
    const store = open(KEY);
    expect(String(await bytesOf(store, 'documents/old.txt'))).toBe('plain');
    expect(String(await bytesOf(store, 'documents/old.txt', { start: 1, end: 2 }))).toBe('la');
    expect(await store.head('documents/tiny.txt')).toMatchObject({ size: 0 });
    await store.put(textFile('documents/old.txt', 'now sealed'));
    expect(String(await onDisk('documents/old.txt'))).not.toContain('now sealed');
    expect(String(await bytesOf(store, 'documents/old.txt'))).toBe('now sealed');
  });

  test('say what is missing when no key, or another one, is configured', async () => {
    await open(KEY).put(textFile('documents/a.txt', 'sealed'));
    for (const call of ['get', 'head'] as const) {
      await expect(open()[call]('documents/a.txt')).rejects.toMatchObject({
        name: 'FileStoreError',
        code: 'refused',
        message: 'The file documents/a.txt is encrypted: set FILES_KEY',
      });
      await expect(open(OTHER)[call]('documents/a.txt')).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringContaining('set FILES_KEY_PREVIOUS to the former FILES_KEY'),
      });
    }
    expect(String(await bytesOf(open(OTHER, KEY), 'documents/a.txt'))).toBe('sealed');
    await open(OTHER, KEY).put(textFile('documents/b.txt', 'with the new key'));
    expect(String(await bytesOf(open(OTHER), 'documents/b.txt'))).toBe('with the new key');
  });

  test('are refused when anything in them was changed, moved or cut off', async () => {
    const body = Buffer.alloc(150_000, 'a');
    const store = open(KEY);
    await store.put(binary('documents/a.pdf', body));
    const whole = await onDisk('documents/a.pdf');
    const flip = (at: number) => {
      const copy = Buffer.from(whole);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    const segment = (index: number) =>
      whole.subarray(HEADER_BYTES + index * 65_552, HEADER_BYTES + (index + 1) * 65_552);
    const changed = [
      flip(20),
      flip(60),
      flip(HEADER_BYTES),
      flip(whole.length - 1),
      whole.subarray(0, -1),
      whole.subarray(0, HEADER_BYTES + 65_552),
      whole.subarray(0, HEADER_BYTES),
      Buffer.concat([whole.subarray(0, HEADER_BYTES), segment(1), segment(0), segment(2)]),
      Buffer.concat([whole, Buffer.from('more')]),
    ];
    for (const [index, bytes] of changed.entries()) {
      await writeFile(join(folder, 'documents/a.pdf'), bytes);
      const read = bytesOf(store, 'documents/a.pdf');
      // What is only appended is never read.
      if (index === changed.length - 1) expect((await read)?.equals(body)).toBe(true);
      else await expect(read, `change ${index}`).rejects.toThrow();
    }
    await writeFile(join(folder, 'documents/a.pdf'), whole);
    await cp(join(folder, 'documents/a.pdf'), join(folder, 'documents/other.pdf'));
    await expect(bytesOf(store, 'documents/other.pdf')).rejects.toMatchObject({ code: 'refused' });
  });

  test('cannot be imitated by a plain file', async () => {
    await open(KEY).put(textFile('documents/a.txt', 'sealed'));
    const body = await onDisk('documents/a.txt');
    const imitation = {
      ...textFile('documents/b.txt', ''),
      body,
      sha256: createHash('sha256').update(body).digest('hex'),
    };
    await expect(open().put(imitation)).rejects.toMatchObject({ code: 'invalid' });
    // With a key it is sealed once more, and comes back as it is.
    await open(KEY).put(imitation);
    expect((await bytesOf(open(KEY), 'documents/b.txt'))?.equals(body)).toBe(true);
  });
});

test('in a bucket links to private files lead to our own server, encrypted or not, and those to photos to the bucket', async () => {
  const s3 = await startFakeS3();
  try {
    const { accessKeyId, secretAccessKey, region } = s3.keys;
    const { host } = new URL(s3.url);
    const url = `s3://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${host}/${s3.bucket}?region=${region}&tls=off`;
    const inner = createS3Store(parseS3Url(url));
    const store = createSealedStore({ store: inner, keys: [KEY], secret: SECRET });
    await store.put(textFile('documents/a.txt', 'sealed'));
    expect(String(await bytesOf(store, 'documents/a.txt'))).toBe('sealed');
    expect(String(await bytesOf(store, 'documents/a.txt', { start: 2, end: 3 }))).toBe('al');
    expect(await store.head('documents/a.txt')).toMatchObject({ size: 6 });
    expect(String(await bytesOf(inner, 'documents/a.txt'))).not.toContain('sealed');
    const link = await store.readUrl('documents/a.txt', { ttlSeconds: 60, downloadName: 'a.txt' });
    expect(link).toMatch(/^\/files\/documents\/a\.txt\?/);
    const without = createSealedStore({ store: inner, keys: [], secret: SECRET });
    expect(await without.readUrl('documents/a.txt', { ttlSeconds: 60 })).toMatch(/^\/files\//);
    await without.put(textFile('documents/plain.txt', 'plain'));
    for (const { readUrl } of [without, openFileStore({ filesUrl: url, folder: '', secret: SECRET })])
      expect(await readUrl('documents/plain.txt', { ttlSeconds: 60 })).toMatch(
        /^\/files\/documents\/plain\.txt\?/,
      );
    expect(await without.readUrl('images/a/640.webp', { ttlSeconds: 60 })).toMatch(/^http:/);
  } finally {
    await s3.stop();
  }
});
