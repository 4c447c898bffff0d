import { decimalAmount } from '../money.ts';
import { type FileColumn, isFormula } from './columns.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';
/** Byte order mark: tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A table as a CSV file (RFC 4180), streamed as its rows are read. Text that a spreadsheet would treat as a formula is prefixed
 * with an apostrophe (R14); times are ISO 8601, UTC.
 */
export async function* csvFile<Row>(
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield headOf(columns);
  for await (const rows of batches) yield linesOf(columns, rows);
}

/** The same of rows that are all there. */
export const csvText = <Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]): string =>
  headOf(columns) + linesOf(columns, rows);

const headOf = <Row>(columns: readonly FileColumn<Row>[]) =>
  BYTE_ORDER_MARK + lineOf(columns.map(({ header }) => textCell(header)));

const linesOf = <Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]) =>
  rows.map((row) => lineOf(columns.map((column) => cellOf(column, row)))).join('');

const lineOf = (cells: readonly string[]) => `${cells.join(',')}\r\n`;

function cellOf<Row>(column: FileColumn<Row>, row: Row): string {
  if ('text' in column) return textCell(column.text(row));
  if ('time' in column) return column.time(row)?.toISOString() ?? '';
  const cents = column.cents(row);
  return cents === null ? '' : decimalAmount(cents);
}

function textCell(text: string | null): string {
  if (text === null) return '';
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
