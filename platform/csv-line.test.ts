import { expect, it } from 'vitest';
import { csvLine } from './csv-line.ts';

it('quotes cells only where necessary', () => {
  expect(csvLine(['48 Larkspur Lane', 'Cedar Hollow, OR', 'the "old" mill', 'two\nlines', null, ''])).toBe(
    '48 Larkspur Lane,"Cedar Hollow, OR","the ""old"" mill","two\nlines",,\r\n',
  );
});

it('prevents formula injection', () => {
  for (const typed of ['=1+1', '+1 Road', '-2 Lane', '@cmd', ' =A1', '\t=A1', '\r=A1', '-1+2'])
    expect(csvLine([typed]).replaceAll('"', '').startsWith("'"), JSON.stringify(typed)).toBe(true);
  expect(csvLine(['-12.50', '1=1', 'a-b'])).toBe('-12.50,1=1,a-b\r\n');
});
