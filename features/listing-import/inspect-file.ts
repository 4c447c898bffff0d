import { type Columns, parseHeader } from './columns.ts';
import { readCsv } from './csv.ts';
import { UnusableFile } from './unusable-file.ts';

/** A file that has been read completely once and can be imported. */
export interface ListingsFile {
  path: string;
  columns: Columns;
  /** rows below the header */
  rows: number;
}

const MAX_ROWS = 1_000_000;

/**
 * Reads a whole file without writing anything, so that an unreadable file changes nothing.
 * @param maxRows the most rows that a file may have below its header
 * @returns an explanation for the operator when it cannot be imported
 */
export async function inspectFile(
  path: string,
  maxRows = MAX_ROWS,
): Promise<{ ok: true; file: ListingsFile } | { ok: false; reason: string }> {
  let columns: Columns | undefined;
  let rows = 0;
  try {
    for await (const { cells } of readCsv(path)) {
      if (columns) {
        if (++rows > maxRows)
          return {
            ok: false,
            reason: `The file has more than ${maxRows.toLocaleString('en-US')} rows: split it.`,
          };
        continue;
      }
      const header = parseHeader(cells);
      if (!header.ok) return header;
      columns = header.columns;
    }
  } catch (error) {
    if (error instanceof UnusableFile) return { ok: false, reason: error.message };
    throw error;
  }
  return columns ? { ok: true, file: { path, columns, rows } } : { ok: false, reason: 'The file is empty.' };
}
