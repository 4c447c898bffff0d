import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { csvFile, csvText } from './csv.ts';

const texts = (cells: readonly (string | null)[]) =>
  csvText(
    cells.map((_, at) => ({ header: `Column ${at}`, text: (row: typeof cells) => row[at] ?? null })),
    [cells],
  ).split('\r\n')[1] ?? '';

it('begins with a byte order mark and the names of the columns', () => {
  expect(csvText([{ header: 'Price, sold', text: () => null }], [])).toBe('\uFEFF"Price, sold"\r\n');
});

it('quotes cells only where necessary', () => {
  const line = texts(['48 Larkspur Lane', 'Cedar Hollow, OR', 'the "old" mill', 'two\nlines', null, '']);
  expect(line).toBe('48 Larkspur Lane,"Cedar Hollow, OR","the ""old"" mill","two\nlines",,');
});

it('prevents formula injection', () => {
  for (const typed of [
    '=1+1',
    '+1 Road',
    '-2 Lane',
    '@cmd',
    ' =A1',
    '\t=A1',
    '\tA1',
    '-1+2',
    '＝1',
    '\u00a0=1',
  ])
    expect(texts([typed]).startsWith("'"), JSON.stringify(typed)).toBe(true);
  for (const typed of ['\r=A1', '\rA1', '=1,2', '="a"'])
    expect(texts([typed]).startsWith(`"'`), JSON.stringify(typed)).toBe(true);
  expect(texts(['-12.50', '1=1', 'a-b'])).toBe('-12.50,1=1,a-b');
});

it('writes amounts with cents and times in UTC, batch by batch', async () => {
  const columns = [
    { header: 'Amount', cents: ({ cents }: { cents: number | null }) => cents },
    { header: 'Time', time: () => new Date('2026-11-20T23:30:00-05:00') },
  ];
  async function* batches() {
    yield [{ cents: 593_600_05 }, { cents: -100 }];
    yield [];
    yield [{ cents: null }];
  }
  expect(await text(csvFile(columns, batches()))).toBe(
    '\uFEFFAmount,Time\r\n593600.05,2026-11-21T04:30:00.000Z\r\n-1.00,2026-11-21T04:30:00.000Z\r\n,2026-11-21T04:30:00.000Z\r\n',
  );
});
