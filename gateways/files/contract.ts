import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileStore, PutFile } from './port.ts';

/** A file store with an injected clock, and a way to open its links as a browser would. */
export type FileStoreFixture = {
  store: FileStore;
  advance(seconds: number): void;
  open(link: string): Promise<{ status: number; body: string; disposition: string | null }>;
  /** Makes the storage behind the store unreachable. */
  sabotage(): Promise<void>;
  stop(): Promise<void>;
};

/** A text file to store. */
export function textFile(key: string, text: string, change: Partial<PutFile> = {}): PutFile {
  const body = new TextEncoder().encode(text);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { key, body, contentType: 'text/plain', sha256, ...change };
}

/** Contract tests for every file store implementation. */
export function fileStoreContract(name: string, openFixture: () => Promise<FileStoreFixture>): void {
  describe(`file store: ${name}`, () => {
    let fixture: FileStoreFixture;
    beforeEach(async () => {
      fixture = await openFixture();
    });
    afterEach(() => fixture.stop());

    const textOf = async (key: string, range?: { start: number; end?: number }) => {
      const file = await fixture.store.get(key, range);
      return (
        file && { text: await new Response(file.body).text(), total: file.total, type: file.contentType }
      );
    };

    test('returns what was stored, with size, type and digest', async () => {
      const file = textFile('notes/one.txt', 'Grüße');
      const { etag } = await fixture.store.put(file);
      expect(etag).toMatch(/^".+"$/);
      expect(await fixture.store.head('notes/one.txt')).toEqual({
        size: 7,
        contentType: 'text/plain',
        sha256: file.sha256,
      });
      expect(await textOf('notes/one.txt')).toEqual({ text: 'Grüße', total: 7, type: 'text/plain' });
    });

    test('preserves every byte of a large binary file', async () => {
      const body = Buffer.alloc(3_000_000, Buffer.from([...Array(251).keys()]));
      const sha256 = createHash('sha256').update(body).digest('hex');
      await fixture.store.put({ key: 'big.webp', body, contentType: 'image/webp', sha256 });
      const back = await fixture.store.get('big.webp');
      expect(back?.contentType).toBe('image/webp');
      const bytes = new Uint8Array(await new Response(back?.body).arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    });

    test('accepts an empty file', async () => {
      await fixture.store.put(textFile('empty.txt', ''));
      expect(await fixture.store.head('empty.txt')).toMatchObject({ size: 0 });
      expect(await textOf('empty.txt')).toMatchObject({ text: '', total: 0 });
    });

    test('a missing file is null, and deleting it does not fail', async () => {
      expect(await fixture.store.head('absent.txt')).toBeNull();
      expect(await fixture.store.get('absent.txt')).toBeNull();
      expect(await fixture.store.get('no/such/folder/absent.txt')).toBeNull();
      await expect(fixture.store.delete('no/such/folder/absent.txt')).resolves.toBeUndefined();
    });

    test('delete removes only that key', async () => {
      await fixture.store.put(textFile('a/one.txt', '1'));
      await fixture.store.put(textFile('a/two.txt', '2'));
      await fixture.store.delete('a/one.txt');
      expect(await fixture.store.head('a/one.txt')).toBeNull();
      expect(await textOf('a/two.txt')).toMatchObject({ text: '2' });
    });

    test('a second put replaces the file and changes its etag', async () => {
      const first = await fixture.store.put(textFile('a.txt', 'first, and longer'));
      const second = await fixture.store.put(textFile('a.txt', 'second'));
      const same = await fixture.store.put(textFile('a.txt', 'second'));
      expect(second.etag).not.toBe(first.etag);
      expect(same.etag).toBe(second.etag);
      expect(await textOf('a.txt')).toMatchObject({ text: 'second', total: 6 });
    });

    test('ifAbsent never replaces; exactly one of many concurrent puts wins', async () => {
      const attempts = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          fixture.store.put(textFile('once.txt', `attempt ${index}`, { ifAbsent: true })),
        ),
      );
      const lost = attempts.filter(({ status }) => status === 'rejected');
      expect(lost).toHaveLength(11);
      for (const attempt of lost)
        expect(attempt).toMatchObject({
          reason: { name: 'FileStoreError', code: 'conflict', retryable: false },
        });
      const winner = attempts.findIndex(({ status }) => status === 'fulfilled');
      expect(await textOf('once.txt')).toMatchObject({ text: `attempt ${winner}` });
    });

    test.each([
      [{ start: 0, end: 3 }, '0123'],
      [{ start: 4, end: 4 }, '4'],
      [{ start: 7 }, '789'],
      [{ start: 5, end: 99 }, '56789'],
    ])('reads the range %j', async (range, text) => {
      await fixture.store.put(textFile('digits.txt', '0123456789'));
      expect(await textOf('digits.txt', range)).toEqual({ text, total: 10, type: 'text/plain' });
    });

    test('a range beyond the end is reported, a malformed one is invalid', async () => {
      await fixture.store.put(textFile('digits.txt', '0123456789'));
      await fixture.store.put(textFile('empty.txt', ''));
      const get = fixture.store.get;
      await expect(get('digits.txt', { start: 10 })).rejects.toMatchObject({ code: 'range' });
      await expect(get('empty.txt', { start: 0 })).rejects.toMatchObject({ code: 'range' });
      for (const range of [{ start: -1 }, { start: 3, end: 2 }, { start: 0.5 }, { start: Number.NaN }])
        await expect(get('digits.txt', range)).rejects.toMatchObject({ code: 'invalid' });
    });

    test.each([
      '../outside.txt',
      'a/../../outside.txt',
      '/etc/passwd.txt',
      'C:/windows.txt',
      'a\\b.txt',
      './a.txt',
      'a//b.txt',
      '.hidden.txt',
      '.tmp/a.txt',
      'a/.git/config.txt',
      'a b.txt',
      'a%2e.txt',
      'a\u0000.txt',
      'a.txt\n',
      'ä.txt',
      'folder.txt/inside.txt',
      'no-ending',
      'page.html',
      'drawing.svg',
      'a.constructor',
      `${'a'.repeat(101)}.txt`,
      '',
    ])('rejects the key %j in every call', async (key) => {
      const { store } = fixture;
      const invalid = { name: 'FileStoreError', code: 'invalid', retryable: false };
      await expect(store.put(textFile(key, 'x'))).rejects.toMatchObject(invalid);
      await expect(store.head(key)).rejects.toMatchObject(invalid);
      await expect(store.get(key)).rejects.toMatchObject(invalid);
      await expect(store.delete(key)).rejects.toMatchObject(invalid);
      await expect(store.readUrl(key, { ttlSeconds: 60 })).rejects.toMatchObject(invalid);
    });

    test('rejects a type that does not match the extension, and a wrong digest; nothing is written', async () => {
      const { store } = fixture;
      const disguised = textFile('a.txt', '<script>', { contentType: 'text/html' });
      await expect(store.put(disguised)).rejects.toMatchObject({ code: 'invalid' });
      const damaged = textFile('a.txt', 'x', { sha256: '0'.repeat(64) });
      await expect(store.put(damaged)).rejects.toMatchObject({ code: 'invalid' });
      expect((await store.list('')).keys).toEqual([]);
    });

    test('lists by prefix in ASCII order of the full key, page by page', async () => {
      const keys = [
        'B.txt',
        'a-b/x.txt',
        'a.txt',
        'a/1.txt',
        'a/10.txt',
        'a/2/deep.txt',
        'a/2.txt',
        'a0.txt',
        'b.txt',
      ];
      for (const key of keys) await fixture.store.put(textFile(key, key));
      const expected = [...keys].sort();
      expect(await fixture.store.list('')).toEqual({ keys: expected });
      for (const limit of [1, 2, 4, 9, 10]) {
        const seen: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await fixture.store.list('', { after, limit });
          expect(page.keys.length).toBeLessThanOrEqual(limit);
          seen.push(...page.keys);
          if (page.next === undefined) break;
          after = page.next;
        }
        expect(seen).toEqual(expected);
      }
      expect((await fixture.store.list('a/')).keys).toEqual([
        'a/1.txt',
        'a/10.txt',
        'a/2.txt',
        'a/2/deep.txt',
      ]);
      expect((await fixture.store.list('a/1')).keys).toEqual(['a/1.txt', 'a/10.txt']);
      expect((await fixture.store.list('a/', { after: 'a/10.txt' })).keys).toEqual([
        'a/2.txt',
        'a/2/deep.txt',
      ]);
      expect(await fixture.store.list('none/')).toEqual({ keys: [] });
      await expect(fixture.store.list('', { limit: 0 })).rejects.toMatchObject({ code: 'invalid' });
      await expect(fixture.store.list('', { limit: 1001 })).rejects.toMatchObject({ code: 'invalid' });
    });

    test('a link opens its file until it expires', async () => {
      await fixture.store.put(textFile('docs/deed.txt', 'the deed'));
      const link = await fixture.store.readUrl('docs/deed.txt', { ttlSeconds: 60 });
      expect(await fixture.open(link)).toEqual({ status: 200, body: 'the deed', disposition: null });
      fixture.advance(59);
      expect((await fixture.open(link)).status).toBe(200);
      fixture.advance(2);
      expect(await fixture.open(link)).not.toMatchObject({ body: 'the deed' });
      expect((await fixture.open(link)).status).toBe(403);
    });

    test('a link downloads under the name it carries', async () => {
      await fixture.store.put(textFile('docs/deed.txt', 'the deed'));
      const link = await fixture.store.readUrl('docs/deed.txt', {
        ttlSeconds: 60,
        downloadName: 'Übergabe "final"\r\nX: (1)/2.txt',
      });
      const { status, disposition } = await fixture.open(link);
      expect(status).toBe(200);
      expect(disposition).toBe(
        `attachment; filename="_bergabe _final_ X: (1) 2.txt"; filename*=UTF-8''%C3%9Cbergabe%20%22final%22%20X%3A%20%281%29%202.txt`,
      );
    });

    test('a tampered link opens nothing', async () => {
      await fixture.store.put(textFile('docs/deed.txt', 'the deed'));
      await fixture.store.put(textFile('docs/other.txt', 'the other'));
      const link = await fixture.store.readUrl('docs/deed.txt', { ttlSeconds: 60, downloadName: 'deed.txt' });
      const signature = /[?&]((?:X-Amz-Signature|sig)=[^&]+)/.exec(link)?.[1] ?? '';
      expect(signature).not.toBe('');
      const changed = [
        link.replace('docs/deed.txt', 'docs/other.txt'),
        link.replace(/((?:exp|X-Amz-Expires)=)(\d+)/, (_, name, value) => `${name}${Number(value) + 600}`),
        link.replace(/(.*)deed\.txt/, '$1evil.txt'),
        link.replace(signature, signature.replace(/.$/, '')),
        link.replace(
          signature,
          signature.replace(/=(.)/, (_, mark) => `=${mark === '0' ? '1' : '0'}`),
        ),
        link.replace(signature, ''),
        link.replace(/\?.*/, ''),
      ];
      expect(new Set([link, ...changed]).size).toBe(changed.length + 1);
      for (const url of changed) {
        const { status, body } = await fixture.open(url);
        expect(status, url).toBe(403);
        expect(body).not.toContain('the ');
      }
    });

    test.each([0, -1, 604_801, 1.5, Number.NaN])(
      'rejects a link that lives %j seconds',
      async (ttlSeconds) => {
        await expect(fixture.store.readUrl('a.txt', { ttlSeconds })).rejects.toMatchObject({
          code: 'invalid',
        });
      },
    );

    test('check passes, and fails as unavailable when the storage is gone', async () => {
      await expect(fixture.store.check()).resolves.toBeUndefined();
      await fixture.sabotage();
      const lost = { name: 'FileStoreError', code: 'unavailable', retryable: true };
      await expect(fixture.store.check()).rejects.toMatchObject(lost);
      await expect(fixture.store.put(textFile('a.txt', 'x'))).rejects.toMatchObject(lost);
      await expect(fixture.store.head('a.txt')).rejects.toMatchObject(lost);
    });
  });
}
