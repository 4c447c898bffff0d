import { CSV_TYPE, csvFile } from '#platform/table-file/csv.ts';
import { XLSX_TYPE, xlsxFile } from '#platform/table-file/xlsx.ts';
import { fileColumns } from './file-columns.ts';
import type { FileRow } from './file-rows.ts';
import type { FileFormat } from './model.ts';

/** What a file with sales is downloaded as; `day` is the one on which it was asked for. */
export const fileName = (format: FileFormat, day: Date): string =>
  `transactions_${day.toISOString().slice(0, 10)}.${format}`;

export const fileType = (format: FileFormat): string => (format === 'csv' ? CSV_TYPE : XLSX_TYPE);

/** A file with sales, streamed. `at` is when it is written. */
export async function* fileOf(
  format: FileFormat,
  batches: AsyncIterable<readonly FileRow[]>,
  at: Date,
): AsyncGenerator<Uint8Array> {
  if (format === 'xlsx') yield* xlsxFile(fileColumns, batches, { title: 'Transactions', at });
  else for await (const text of csvFile(fileColumns, batches)) yield Buffer.from(text);
}
