import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from './csv.ts';
import { detectEncoding } from './encoding.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'acre-csv-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(content: string | Buffer): string {
  const path = join(folder, 'file.csv');
  writeFileSync(path, content);
  return path;
}
/** Does the work as a user without privileges: root may read every file. */
async function withoutRoot(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
async function rows(path: string) {
  const found: [line: number, ...cells: string[]][] = [];
  for await (const { firstLine, cells } of readCsv(path, await detectEncoding(path)))
    found.push([firstLine, ...cells]);
  return found;
}

describe('reads', () => {
  it.each(['\n', '\r\n', '\r'])('lines that end with %j, counted as an editor counts them', async (end) => {
    const lines = ['\ufeffa,b', '', '"1', 'more",2', '   ', ',', '3,"say ""yes"""', '', '4,5" pipe'];
    const cells = [
      [1, 'a', 'b'],
      [3, '1\nmore', '2'],
      [7, '3', 'say "yes"'],
      [9, '4', '5" pipe'],
    ];
    expect(await rows(write(lines.join(end)))).toEqual(cells);
    expect(await rows(write(lines.join(end) + end))).toEqual(cells);
  });
  it('lines that end in different ways', async () => {
    expect(await rows(write('a,b\r\n1,2\n3,4\r5,6'))).toEqual([
      [1, 'a', 'b'],
      [2, '1', '2'],
      [3, '3', '4'],
      [4, '5', '6'],
    ]);
  });
  it('a line end split between two chunks', async () => {
    const first = 'x'.repeat(64 * 1024 - 1);
    expect(await rows(write(`${first}\r\nb\r\n`))).toEqual([
      [1, first],
      [2, 'b'],
    ]);
  });
  const utf16 = Buffer.from('source_id,price\na,Québec\n', 'utf16le');
  const mark = Buffer.from([0xff, 0xfe]);
  it.each<[string, Buffer, string]>([
    ['UTF-16, little end first', Buffer.concat([mark, utf16]), 'Québec'],
    ['UTF-16, big end first', Buffer.from(Buffer.concat([mark, utf16])).swap16(), 'Québec'],
    ['UTF-16 without mark', utf16, 'Québec'],
    ['UTF-16 without mark, big end first', Buffer.from(utf16).swap16(), 'Québec'],
    ['Windows-1252', Buffer.from('source_id,price\na,Qu\xe9bec \x96 \x93x\x94\n', 'latin1'), 'Québec – “x”'],
    ['UTF-8 with mark', Buffer.from('\ufeffsource_id,price\na,Québec\n'), 'Québec'],
    [
      'UTF-8 that is cut in two',
      Buffer.from(`source_id,price\na,${'é'.repeat(100_000)}\n`),
      'é'.repeat(100_000),
    ],
  ])('%s', async (_, bytes, cell) => {
    expect(await rows(write(bytes))).toEqual([
      [1, 'source_id', 'price'],
      [2, 'a', cell],
    ]);
  });
  it('replaces invalid UTF-8 in a file that is UTF-8 otherwise, and keeps the cells around it', async () => {
    const bytes = Buffer.concat([Buffer.from('é,é\na,Qu'), Buffer.from([0xe9]), Buffer.from('bec,c\n')]);
    expect(await rows(write(bytes))).toEqual([
      [1, 'é', 'é'],
      [2, 'a', 'Qu\ufffdbec', 'c'],
    ]);
  });
  it('no rows from a file of blank lines', async () => expect(await rows(write('\n\n \n'))).toEqual([]));
});

describe('explains why a file cannot be used', () => {
  it.each<[string, string | Buffer, string]>([
    ['empty', '', 'The file is empty.'],
    ['only a byte order mark', '\ufeff', 'The file is empty.'],
    [
      'an old workbook',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0x41, 0x42]),
      'The file is a workbook or an archive',
    ],
    ['compressed', Buffer.from([0x1f, 0x8b, 8, 0]), 'The file is compressed'],
    ['a document', '%PDF-1.7', 'The file is a PDF'],
    ['a page', '<!DOCTYPE html><html>', 'The file is a web page'],
    ['a workbook', Buffer.from('PK\x03\x04rest'), 'The file is a workbook or an archive'],
    [
      'binary',
      Buffer.from(Array.from({ length: 9_999 }, (_, n) => (n * 7919) % 256)),
      'The file is not text',
    ],
    ['an open quotation mark', 'a,b\n1,2\n"3,4\n5,6\n', 'The row that begins at line 3 does not end'],
    [
      'an open quotation mark far from the end',
      `a\n"${'b\n'.repeat(400_000)}`,
      'The row that begins at line 2',
    ],
    ['too many blank lines', '\n'.repeat(5_000_001), 'The file has more than 5,000,000 lines'],
  ])('%s', async (_, content, reason) => {
    await expect(rows(write(content))).rejects.toMatchObject({
      name: 'UnusableFile',
      message: expect.stringContaining(reason),
    });
  });

  it('no file, a folder, a device', async () => {
    await expect(rows(join(folder, 'absent.csv'))).rejects.toThrow('There is no file');
    await expect(rows(folder)).rejects.toThrow('is a folder');
    await expect(rows('/dev/zero')).rejects.toThrow('is not a regular file');
  });
  it('a file that may not be read', async () => {
    const path = write('a,b\n');
    chmodSync(folder, 0o755);
    chmodSync(path, 0);
    await withoutRoot(() => expect(rows(path)).rejects.toThrow('may not be read'));
    rmSync(path);
  });

  it.each([
    ['letters', Buffer.alloc(1 << 20, 'x')],
    ['commas', Buffer.alloc(1 << 20, ',')],
  ])('an endless line of %s, before it fills the memory', async (_, piece) => {
    const path = write(Buffer.concat([Buffer.from('a,b\n1,2\n'), ...Array.from({ length: 8 }, () => piece)]));
    await expect(rows(path)).rejects.toThrow('Line 3 is longer than 256 KB');
  });
  it('one gigabyte in a line, in bounded time and memory', async () => {
    const path = write('a,b\n1,2\n');
    truncateSync(path, 2 ** 30);
    const before = process.memoryUsage().rss;
    const began = performance.now();
    await expect(rows(path)).rejects.toThrow('Line 3 is longer than 256 KB');
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
  });
});
