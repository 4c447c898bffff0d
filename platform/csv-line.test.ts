import { expect, it } from 'vitest';
import { csvLine, plainDollars } from './csv-line.ts';

it('quotes what would end a cell, and leaves the rest', () => {
  expect(csvLine(['48 Larkspur Lane', 'Cedar Hollow, OR', 'the "old" mill', 'two\nlines', null, ''])).toBe(
    '48 Larkspur Lane,"Cedar Hollow, OR","the ""old"" mill","two\nlines",,\r\n',
  );
});

it('lets no spreadsheet run what somebody typed', () => {
  for (const typed of ['=1+1', '+1 Road', '-2 Lane', '@cmd', ' =A1', '\t=A1', '\r=A1', '-1+2'])
    expect(csvLine([typed]).replaceAll('"', '').startsWith("'"), JSON.stringify(typed)).toBe(true);
  expect(csvLine(['-12.50', '1=1', 'a-b'])).toBe('-12.50,1=1,a-b\r\n');
});

it('writes cents as dollars', () => {
  expect([0, 5, 593_600_00, 99_999_999_999].map(plainDollars)).toEqual([
    '0.00',
    '0.05',
    '593600.00',
    '999999999.99',
  ]);
});
