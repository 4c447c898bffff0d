import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** The file cannot be read as a list of listings; the message is meant for the operator. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

/** One record; quoted cells may contain line ends, so a record may span lines. Lines count from 1. */
interface CsvRecord {
  firstLine: number;
  lastLine: number;
  cells: string[];
}

/** Longest line in bytes and longest record in characters; bounds the memory per record. */
const MAX_RECORD_SIZE = 256 * 1024;
const MAX_LINES = 5_000_000;
const UTF16 = 'The file is UTF-16, not UTF-8: save it as "CSV UTF-8".';

/**
 * Streams the records of a CSV file in constant memory: UTF-8 with or without byte order mark, any line end, comma
 * and double quote (RFC 4180). Blank lines are skipped; invalid bytes become U+FFFD.
 * @throws UnusableFile
 */
export async function* readCsv(path: string): AsyncGenerator<CsvRecord> {
  await checkFile(path);
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_SIZE,
  });
  // An error in any stage destroys the parser, so the loop below throws it.
  pipeline(createReadStream(path), normalizeLineEnds, parser, () => undefined);
  let lastLine = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      lastLine = info.lines;
      const firstLine = lastLine - record.reduce((count, cell) => count + lineEnds(cell), 0);
      if (record.some((cell) => cell.trim() !== '')) yield { firstLine, lastLine, cells: record };
    }
  } catch (error) {
    throw toUnusableFile(error, path, lastLine + 1);
  }
}

const lineEnds = (cell: string) => cell.split('\n').length - 1;

async function checkFile(path: string): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new UnusableFile(`${path} is a folder, not a file.`);
    if (!found.isFile()) throw new UnusableFile(`${path} is not a regular file.`);
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
      checkSignature(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toUnusableFile(error, path, 1);
  }
}

function checkSignature(bytes: Buffer): void {
  const starts = (...wanted: number[]) => wanted.every((byte, index) => bytes[index] === byte);
  if (bytes.length === 0 || (starts(0xef, 0xbb, 0xbf) && bytes.length === 3)) {
    throw new UnusableFile('The file is empty.');
  }
  if (starts(0xff, 0xfe) || starts(0xfe, 0xff)) throw new UnusableFile(UTF16);
  if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new UnusableFile('The file is a workbook or an archive, not a CSV file: save it as "CSV UTF-8".');
  }
  const end = bytes.findIndex((byte) => byte === 10 || byte === 13);
  const firstLine = end === -1 ? bytes : bytes.subarray(0, end + 2);
  const zeros = firstLine.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  if (zeros === 0) return;
  const halfAreZeros = Math.abs(zeros - firstLine.length / 2) <= 2;
  throw new UnusableFile(halfAreZeros ? UTF16 : 'The file is not text: its first line contains NUL bytes.');
}

/**
 * Normalises line ends to LF, so that lines are counted consistently, and stops at an overlong line before it is
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

function toUnusableFile(error: unknown, path: string, line: number): unknown {
  if (error instanceof CsvError) {
    return new UnusableFile(
      error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
        ? `The row that begins at line ${line} does not end: a quotation mark (") is opened and never closed.`
        : `Line ${line} cannot be read: ${error.message}.`,
    );
  }
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return new UnusableFile(`There is no file ${path}.`);
  if (code === 'EACCES' || code === 'EPERM') return new UnusableFile(`The file ${path} may not be read.`);
  if (code === 'EIO') return new UnusableFile(`The file ${path} could not be read to its end.`);
  return error;
}
