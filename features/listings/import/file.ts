import { type Columns, readHeader } from './columns.ts';
import { readCsv, UnusableFile } from './csv.ts';

/** A file that was read to its end once: its rows can be imported. */
export interface ListingsFile {
  path: string;
  columns: Columns;
  /** rows below the header */
  rows: number;
}

const MOST_ROWS = 1_000_000;

/**
 * Reads a file to its end without doing anything, so that one that cannot be read whole changes nothing.
 * @returns the reason in words for the operator when it cannot be imported
 */
export async function surveyFile(
  path: string,
): Promise<{ ok: true; file: ListingsFile } | { ok: false; reason: string }> {
  let columns: Columns | undefined;
  let rows = 0;
  try {
    for await (const { cells } of readCsv(path)) {
      if (columns) {
        if (++rows > MOST_ROWS)
          return { ok: false, reason: 'The file has more than 1,000,000 rows: split it.' };
        continue;
      }
      const header = readHeader(cells);
      if (!header.ok) return header;
      columns = header.columns;
    }
  } catch (error) {
    if (error instanceof UnusableFile) return { ok: false, reason: error.message };
    throw error;
  }
  return columns ? { ok: true, file: { path, columns, rows } } : { ok: false, reason: 'The file is empty.' };
}
