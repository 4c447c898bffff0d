import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Encoding, readUtf8 } from './encoding.ts';
import { UnusableFile } from './unusable-file.ts';

/** One record; quoted cells may contain line ends, so a record may span lines. Lines count from 1. */
export interface FileRecord {
  firstLine: number;
  lastLine: number;
  cells: string[];
}

/** Longest line in bytes and longest record in characters; bounds the memory per record. */
const MAX_RECORD_SIZE = 256 * 1024;
const MAX_LINES = 5_000_000;

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/**
 * Streams the records of a CSV file in constant memory: any line end, double quotes (RFC 4180). Blank lines are skipped; invalid
 * bytes become U+FFFD.
 * @throws UnusableFile
 */
export async function* readCsv(
  path: string,
  encoding: Encoding = 'utf-8',
  delimiter: Delimiter = ',',
): AsyncGenerator<FileRecord> {
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_SIZE,
  });
  // An error in any stage destroys the parser, so the loop below throws it.
  pipeline(readUtf8(path, encoding), normalizeLineEnds, parser, () => undefined);
  let lastLine = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      // Without quoted line ends, a record is the line on which it ends.
      lastLine = info.lines;
      const firstLine = lastLine - record.reduce((count, cell) => count + lineEnds(cell), 0);
      if (record.some((cell) => cell.trim() !== '')) yield { firstLine, lastLine, cells: record };
    }
  } catch (error) {
    throw toUnusableFile(error, lastLine + 1);
  }
}

const lineEnds = (cell: string) => (cell.includes('\n') ? cell.split('\n').length - 1 : 0);

/**
 * Normalizes line ends to LF, so that lines are counted consistently, and stops at an overlong line before it is
 * buffered.
 * @throws UnusableFile
 */
async function* normalizeLineEnds(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let afterCarriageReturn = false;
  let lines = 0;
  let length = 0;
  for await (const chunk of chunks) {
    const plain = toLineFeeds(chunk, afterCarriageReturn);
    afterCarriageReturn = chunk.at(-1) === 13;
    let start = 0;
    for (let end = plain.indexOf(10); ; end = plain.indexOf(10, start)) {
      length += (end === -1 ? plain.length : end) - start;
      if (length > MAX_RECORD_SIZE)
        throw new UnusableFile(`Line ${lines + 1} is longer than 256 KB: no listing is.`);
      if (end === -1) break;
      start = end + 1;
      length = 0;
      if (++lines > MAX_LINES) throw new UnusableFile('The file has more than 5,000,000 lines: split it.');
    }
    yield plain;
  }
}

function toLineFeeds(chunk: Buffer, afterCarriageReturn: boolean): Buffer {
  const start = afterCarriageReturn && chunk[0] === 10 ? 1 : 0;
  if (chunk.indexOf(13, start) === -1) return chunk.subarray(start);
  const plain = Buffer.allocUnsafe(chunk.length);
  let size = 0;
  for (let index = start; index < chunk.length; index++) {
    const isReturn = chunk[index] === 13;
    plain[size++] = isReturn ? 10 : (chunk[index] ?? 0);
    if (isReturn && chunk[index + 1] === 10) index++;
  }
  return plain.subarray(0, size);
}

function toUnusableFile(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  return new UnusableFile(
    error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
      ? `The row that begins at line ${line} does not end: a quotation mark (") is opened and never closed.`
      : `Line ${line} cannot be read: ${error.message}.`,
  );
}
