import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FileStoreFixture, fileStoreContract, textFile } from './contract.ts';
import { createFolderStore } from './folder.ts';
import { verifyFileLink } from './signed-link.ts';
import { attachmentDisposition } from './validation.ts';

const SECRET = 'a secret for tests';

fileStoreContract('folder', async (): Promise<FileStoreFixture> => {
  const root = await mkdtemp(join(tmpdir(), 'acre-files-'));
  const folder = join(root, 'files');
  let now = new Date('2026-11-20T12:00:00Z');
  const store = createFolderStore({ folder, secret: SECRET, now: () => now });
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
});

describe('the folder on disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'acre-files-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = () => createFolderStore({ folder, secret: SECRET });

  test('stores each file unchanged under its key and leaves no temporary file', async () => {
    await open().put(textFile('docs/a.txt', 'plain'));
    await open().put(textFile('docs/a.txt', 'replaced'));
    const again = open().put(textFile('docs/a.txt', 'late', { ifAbsent: true }));
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    expect(await readFile(join(folder, 'docs/a.txt'), 'utf8')).toBe('replaced');
    expect(await readdir(join(folder, '.tmp'))).toEqual([]);
  });

  test('readers see the old file or the new one, never a mixture', async () => {
    const store = open();
    const [old, fresh] = ['o'.repeat(400_000), 'n'.repeat(300_000)];
    await store.put(textFile('a.txt', old));
    const writing = (async () => {
      for (let round = 0; round < 20; round += 1) await store.put(textFile('a.txt', round % 2 ? old : fresh));
    })();
    for (let round = 0; round < 60; round += 1) {
      const file = await store.get('a.txt');
      const text = await new Response(file?.body).text();
      expect([old, fresh]).toContain(text);
      expect(text).toHaveLength(file?.total ?? -1);
    }
    await writing;
  });

  test('a body that is not read to the end still closes its file', async () => {
    await open().put(textFile('a.txt', 'x'.repeat(500_000)));
    for (let round = 0; round < 20; round += 1) {
      const file = await open().get('a.txt');
      const reader = file?.body.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    const opened = await readdir('/proc/self/fd').catch(() => null);
    if (opened !== null) expect(opened.length).toBeLessThan(60);
  });

  test('does not list foreign files: temporary, hidden, or with unknown extensions', async () => {
    await mkdir(join(folder, '.tmp'));
    for (const name of ['.tmp/left.txt', '.DS_Store', 'README', 'page.html', 'ok.txt'])
      await writeFile(join(folder, name), 'x');
    expect((await open().list('')).keys).toEqual(['ok.txt']);
  });

  test('a link signed with another secret is forged, even when it has expired', () => {
    const link = new URL('http://x/files/a.txt?exp=1&sig=AAAA');
    const now = new Date();
    expect(verifyFileLink(SECRET, { key: 'a.txt', query: link.searchParams, now })).toEqual({
      ok: false,
      reason: 'forged',
    });
  });
});
