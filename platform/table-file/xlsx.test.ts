import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import type { FileColumn } from './columns.ts';
import { xlsxFile } from './xlsx.ts';

interface Row {
  text: string | null;
  cents?: number | null;
  time?: Date | null;
}
const columns: readonly FileColumn<Row>[] = [
  { header: 'Text & more', text: ({ text }) => text },
  { header: 'Amount', cents: ({ cents }) => cents ?? null },
  { header: 'Time', time: ({ time }) => time ?? null },
];
const at = new Date('2026-11-20T12:34:56Z');

async function* batchesOf(...batches: Row[][]) {
  yield* batches;
}

async function read(batches: AsyncIterable<Row[]>, sheetRows?: number) {
  const bytes = await buffer(
    xlsxFile(columns, batches, { title: 'Transactions', at, ...(sheetRows && { sheetRows }) }),
  );
  const files = unzipSync(bytes);
  return { bytes, files, text: (name: string) => strFromU8(files[name] ?? new Uint8Array()) };
}
const cellsOf = (xml: string) => [...xml.matchAll(/<c [^>]*>.*?<\/c>/gs)].map(([cell]) => cell);

it('is a workbook with a head, amounts and times as numbers with a format', async () => {
  const { files, text } = await read(
    batchesOf(
      [{ text: 'Larkspur', cents: 593_600_05, time: new Date('2026-11-20T18:00:00Z') }],
      [{ text: null }],
    ),
  );
  expect(Object.keys(files).sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  const sheet = text('xl/worksheets/sheet1.xml');
  expect(cellsOf(sheet)).toEqual([
    '<c r="A1" t="inlineStr" s="4"><is><t xml:space="preserve">Text &amp; more</t></is></c>',
    '<c r="B1" t="inlineStr" s="4"><is><t xml:space="preserve">Amount</t></is></c>',
    '<c r="C1" t="inlineStr" s="4"><is><t xml:space="preserve">Time</t></is></c>',
    '<c r="A2" t="inlineStr"><is><t xml:space="preserve">Larkspur</t></is></c>',
    '<c r="B2" s="1"><v>593600.05</v></c>',
    // 18:00 is three quarters of the day; day 1 is 1900-01-01, counted with a February 29 that there was not.
    '<c r="C2" s="2"><v>46346.75</v></c>',
  ]);
  expect(sheet).toContain('<row r="3"></row></sheetData></worksheet>');
  expect(text('xl/workbook.xml')).toContain('<sheet name="Transactions" sheetId="1" r:id="rId1"/>');
});

it('is read by others as it was written', async () => {
  const written: Row[] = [
    { text: '=1+1', cents: -1, time: new Date('2026-02-28T18:45:00Z') },
    { text: 'a < b & "c"\n_x000D_', cents: 593_600_05, time: null },
    { text: null, cents: 0, time: new Date('1999-12-31T00:00:00Z') },
  ];
  const { bytes } = await read(batchesOf(written));
  expect(await readSheet(bytes)).toEqual([
    ['Text & more', 'Amount', 'Time'],
    ...written.map(({ text, cents, time }) => [text, (cents ?? 0) / 100, time]),
  ]);
});

it('keeps every text a text, whatever it contains', async () => {
  const texts = [
    '=1+1',
    '+1',
    '@cmd',
    '\t=A1',
    '<b>&amp;</b>',
    'a\u0000b\ud800c',
    '_x000D_',
    'a\r\nb',
    '-12.50',
  ];
  const { text } = await read(batchesOf(texts.map((one) => ({ text: one }))));
  const cells = cellsOf(text('xl/worksheets/sheet1.xml')).slice(3);
  expect(cells.every((cell) => cell.includes('t="inlineStr"') && !cell.includes('<f>'))).toBe(true);
  expect(cells.map((cell) => cell.includes('s="3"'))).toEqual(texts.map((_, row) => row < 4));
  expect(cells.slice(4).map((cell) => /preserve">(.*)<\/t>/s.exec(cell)?.[1])).toEqual([
    '&lt;b&gt;&amp;amp;&lt;/b&gt;',
    'ab\ufffdc',
    '_x005F_x000D_',
    'a\nb',
    '-12.50',
  ]);
  expect(text('xl/styles.xml')).toContain('quotePrefix="1"');
});

it('goes on on further sheets when one is full', async () => {
  const rows = Array.from({ length: 7 }, (_, n) => ({ text: `row ${n}` }));
  const { files, text } = await read(batchesOf(rows.slice(0, 2), [], rows.slice(2)), 4);
  const sheets = Object.keys(files).filter((name) => name.startsWith('xl/worksheets/'));
  expect(sheets).toHaveLength(3);
  const found = sheets.map((name) => [...text(name).matchAll(/row \d/g)].map(([row]) => row));
  expect(found).toEqual([['row 0', 'row 1', 'row 2'], ['row 3', 'row 4', 'row 5'], ['row 6']]);
  expect(text('xl/workbook.xml')).toContain('<sheet name="Transactions 3" sheetId="3" r:id="rId3"/>');
  const full = await read(batchesOf(rows.slice(0, 3)), 4);
  expect(Object.keys(full.files).filter((name) => name.startsWith('xl/worksheets/'))).toHaveLength(1);
});

it('asks for no more rows once nobody reads on, and fails with its source', async () => {
  let [asked, closed] = [0, false];
  const rows = Array.from({ length: 500 }, (_, n) => ({ text: `${Math.sin(n)}`.repeat(20) }));
  async function* endless() {
    try {
      for (;;) {
        asked += 1;
        yield rows;
      }
    } finally {
      closed = true;
    }
  }
  const file = xlsxFile(columns, endless(), { title: 'Transactions', at });
  for (let taken = 0; taken < 100; ) taken += (await file.next()).value ? 1 : 0;
  await file.return(undefined);
  const before = asked;
  await new Promise(setImmediate);
  expect({ asked, closed }).toEqual({ asked: before, closed: true });

  async function* failing() {
    yield rows;
    throw new Error('The database is gone');
  }
  await expect(read(failing())).rejects.toThrow('The database is gone');
});
