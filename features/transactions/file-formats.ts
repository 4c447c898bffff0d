import { CSV_TYPE, csvFile } from '#platform/table-file/csv.ts';
import { XLSX_TYPE, xlsxFile } from '#platform/table-file/xlsx.ts';
import { countedInterval } from './counted.ts';
import { fileColumns } from './file-columns.ts';
import type { FileRow } from './file-rows.ts';
import type { ListFilter } from './list.ts';
import type { FileFormat } from './model.ts';

/** What a file with sales is downloaded as; `day` is the one on which it was asked for. */
export const fileName = (format: FileFormat, day: Date): string =>
  `transactions_${day.toISOString().slice(0, 10)}.${format}`;

export const fileType = (format: FileFormat): string => (format === 'csv' ? CSV_TYPE : XLSX_TYPE);

/** A file with the sales of a list, streamed. `at` is when it is written. */
export async function* fileOf(
  format: FileFormat,
  filter: ListFilter,
  batches: AsyncIterable<readonly FileRow[]>,
  at: Date,
): AsyncGenerator<Uint8Array> {
  const columns = fileColumns(countedInterval(filter) !== null);
  if (format === 'xlsx') yield* xlsxFile(columns, batches, { title: 'Transactions', at });
  else for await (const text of csvFile(columns, batches)) yield Buffer.from(text);
}
