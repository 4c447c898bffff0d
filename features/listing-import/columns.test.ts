import { expect, it } from 'vitest';
import { optionalColumns, parseHeader, quoteCell, requiredColumns } from './columns.ts';

it('finds known columns in any order and spelling, and ignores others', () => {
  const header = parseHeader(['Owner', ' PRICE ', 'Source ID', 'Property-Type', 'address', 'owner', '']);
  expect(header).toEqual({
    ok: true,
    columns: {
      width: 7,
      positions: new Map([
        ['price', 1],
        ['source_id', 2],
        ['property_type', 3],
        ['address', 4],
      ]),
    },
  });
});

it.each(requiredColumns)('requires the column %s', (column) => {
  const others = [...requiredColumns, ...optionalColumns].filter((name) => name !== column);
  expect(parseHeader(others)).toMatchObject({
    ok: false,
    reason: expect.stringContaining(`Missing: ${column}.`),
  });
});

it.each([
  [['source_id;price;address'], 'separated by semicolons'],
  [['source_id\tprice'], 'separated by tabs'],
  [[...requiredColumns, 'price'], 'The column price appears twice'],
  [Array.from({ length: 10_000 }, (_, n) => `c${n}`), 'has 10,000 columns'],
])('explains what is wrong with a header', (cells, reason) => {
  expect(parseHeader(cells)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
});

it('removes control characters from quoted cells', () => {
  expect(quoteCell('a\x1b[31m\0\u202eb', 60)).toBe('"a\ufffd[31m\ufffd\ufffdb"');
  expect(quoteCell('x'.repeat(100), 5)).toBe('"xxxxx…"');
});
