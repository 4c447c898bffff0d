import { stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { formatCount } from '#platform/format-count.ts';
import { storableText } from '#platform/typed-text.ts';
import { type Delimiter, delimiters, type FileRecord, readCsv } from './csv.ts';
import { detectEncoding, type Encoding, readUtf8 } from './encoding.ts';
import { readJson } from './json.ts';
import { countKnownColumns } from './mapping.ts';
import { type PresetName, presetOf } from './presets.ts';
import { UnusableFile } from './unusable-file.ts';

/** A file that was read completely once and can be imported. Plain data, which may be stored. */
export interface ListingsFile {
  path: string;
  format: 'csv' | 'json';
  encoding: Encoding;
  /** what separates the cells of a CSV file */
  delimiter: Delimiter;
  /** the line that names the columns, counted from 1; 0 in a JSON file */
  headerLine: number;
  /** texts that can be stored, as `examples` are */
  header: string[];
  /** the source that the columns tell, or null */
  preset: PresetName | null;
  /** the first rows, as many cells as `header` */
  examples: string[][];
  /** rows below the header, or entries */
  rows: number;
  /** bytes */
  size: number;
}

const MAX_ROWS = 1_000_000;
const MAX_COLUMNS = 2_000;
const MAX_EXAMPLES = 5;
/** Records among which the one with the names of the columns is looked for, below title lines. */
const MAX_TITLE_LINES = 30;
const SAMPLE_BYTES = 64 * 1024;

type Opened = { ok: true; file: ListingsFile } | { ok: false; reason: string };

/**
 * Reads a whole file without writing anything, so that an unreadable file changes nothing: CSV with commas, semicolons, tabs or bars,
 * and JSON, of any encoding.
 * @param options.maxRows the most rows that a file may have below its header
 * @returns an explanation when it cannot be imported
 */
export async function openListingsFile(path: string, options: { maxRows?: number } = {}): Promise<Opened> {
  const { maxRows = MAX_ROWS } = options;
  try {
    const encoding = await detectEncoding(path);
    const sample = await readSample(path, encoding);
    const open = /^\s*[[{]/.test(sample) ? openJson : openCsv;
    const read = await open(path, encoding, sample, maxRows);
    const { header } = read;
    if (header.length > MAX_COLUMNS)
      return failed(
        `The file has ${formatCount(header.length)} columns; at most ${formatCount(MAX_COLUMNS)} are read.`,
      );
    if (read.rows === 0)
      return failed(
        header.length > 0 ? 'The file has no rows below the names of its columns.' : 'The file is empty.',
      );
    const { size } = await stat(path);
    return { ok: true, file: { path, encoding, size, preset: presetOf(header), ...read } };
  } catch (error) {
    if (error instanceof UnusableFile) return failed(error.message);
    throw error;
  }
}

type Read = Pick<ListingsFile, 'format' | 'delimiter' | 'headerLine' | 'header' | 'examples' | 'rows'>;

const failed = (reason: string) => ({ ok: false as const, reason });
const tooManyRows = (maxRows: number) =>
  new UnusableFile(`The file has more than ${formatCount(maxRows)} rows: split it.`);

/** The first whole lines of a file. */
async function readSample(path: string, encoding: Encoding): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of readUtf8(path, encoding)) {
    pieces.push(piece);
    size += piece.length;
    if (size >= SAMPLE_BYTES) break;
  }
  const text = Buffer.concat(pieces).subarray(0, SAMPLE_BYTES).toString();
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return size > SAMPLE_BYTES && end > 0 ? text.slice(0, end + 1) : text;
}

async function openCsv(path: string, encoding: Encoding, sample: string, maxRows: number): Promise<Read> {
  const delimiter = delimiterOf(sample);
  const first: FileRecord[] = [];
  let records = 0;
  let remarks = 0;
  for await (const record of readCsv(path, encoding, delimiter)) {
    records++;
    if (first.length < MAX_TITLE_LINES + MAX_EXAMPLES) first.push(record);
    else if (isRemark(record.cells)) remarks++;
    // Title lines do not count, but are at most a few.
    if (records > maxRows + MAX_TITLE_LINES) throw tooManyRows(maxRows);
  }
  const at = headerAt(first);
  const header = first[at]?.cells ?? [];
  const below = first.slice(at + 1);
  const rows = Math.max(0, records - at - 1 - remarks - below.filter(({ cells }) => isRemark(cells)).length);
  if (rows > maxRows) throw tooManyRows(maxRows);
  return {
    format: 'csv',
    delimiter,
    headerLine: first[at]?.lastLine ?? 0,
    header: header.map((name) => storableText(name.trim())),
    examples: below
      .filter(({ cells }) => !isRemark(cells))
      .slice(0, MAX_EXAMPLES)
      .map(({ cells }) => header.map((_, index) => storableText(cells[index] ?? ''))),
    rows,
  };
}

/** The record that names the columns: the first of those with most known names; without any, the first with several cells. */
function headerAt(records: readonly FileRecord[]): number {
  const scores = records.slice(0, MAX_TITLE_LINES).map(({ cells }) => countKnownColumns(cells));
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.indexOf(best);
  const wide = records.findIndex(
    ({ cells }) => cells.length > 1 && cells.every((cell) => cell.trim() !== '') && !isSeparatorLine(cells),
  );
  return Math.max(0, wide);
}

const isSeparatorLine = (cells: readonly string[]) => /^sep=/i.test(cells[0] ?? '');

function delimiterOf(sample: string): Delimiter {
  const said = /^"?sep=(.)"?[\r\n]/i.exec(sample)?.[1];
  const named = delimiters.find((one) => one === said);
  if (named) return named;
  const scored = delimiters.map((delimiter) => ({ delimiter, ...scoreOf(sample, delimiter) }));
  const best = scored.toSorted((a, b) => b.known - a.known || b.cells - a.cells)[0];
  return best?.delimiter ?? ',';
}

/** How well a delimiter divides the sample: known names of columns in its best line, and cells of the usual line. */
function scoreOf(sample: string, delimiter: Delimiter): { known: number; cells: number } {
  const lines = sample.split(/\r\n|\n|\r/, MAX_TITLE_LINES + 1);
  // The last line may be cut off, and is then no line with names.
  const rows = lines.slice(0, MAX_TITLE_LINES).map((line) => {
    try {
      const [cells = []]: string[][] = parse(line, {
        delimiter,
        relax_quotes: true,
        relax_column_count: true,
      });
      return cells;
    } catch {
      // A cell that goes on over lines.
      return line.split(delimiter);
    }
  });
  const widths = rows.map((cells) => cells.length).toSorted((a, b) => a - b);
  return {
    known: Math.max(0, ...rows.map(countKnownColumns)),
    cells: widths[Math.floor(widths.length / 2)] ?? 0,
  };
}

async function openJson(path: string, encoding: Encoding, _: string, maxRows: number): Promise<Read> {
  const names = new Set<string>();
  const first: Map<string, string>[] = [];
  let rows = 0;
  for await (const { values } of readJson(path, encoding)) {
    if (++rows > maxRows) throw tooManyRows(maxRows);
    if (first.length < MAX_EXAMPLES) first.push(values);
    if (names.size <= MAX_COLUMNS) for (const name of values.keys()) names.add(name);
  }
  if (rows === 0)
    throw new UnusableFile(
      'The JSON file has no list of listings: [{…}], {"value": [{…}]}, or one {…} a line.',
    );
  const header = [...names];
  return {
    format: 'json',
    delimiter: ',',
    headerLine: 0,
    header,
    examples: first.map((values) => header.map((name) => storableText(values.get(name) ?? ''))),
    rows,
  };
}

/**
 * Streams the rows of a file below its header in constant memory, without remarks such as a portal's disclaimer. In a JSON file an entry's
 * number stands for its line.
 * @throws UnusableFile
 */
export async function* readRows(file: ListingsFile): AsyncGenerator<FileRecord> {
  if (file.format === 'json') {
    for await (const { number, values } of readJson(file.path, file.encoding))
      yield { firstLine: number, lastLine: number, cells: file.header.map((name) => values.get(name) ?? '') };
    return;
  }
  for await (const record of readCsv(file.path, file.encoding, file.delimiter)) {
    if (record.firstLine > file.headerLine && !isRemark(record.cells)) yield record;
  }
}

const REMARK =
  /^(?:in accordance with|copyright|©|\(c\)|disclaimer|source:|total|generated|exported|downloaded|page \d|this (?:data|information|file)|information (?:is )?deemed|all rights|data (?:is )?provided|note:)/i;

/**
 * Whether a record is a remark rather than a row: a single cell with a sentence, such as 'In accordance with local MLS rules, some MLS
 * listings are not included in the download'.
 */
function isRemark(cells: readonly string[]): boolean {
  const [first = ''] = cells;
  const text = first.trim();
  const filled = cells.reduce((count, cell) => count + (cell.trim() === '' ? 0 : 1), 0);
  // Without quotation marks, its commas divide it.
  if (filled <= 3 && REMARK.test(text)) return true;
  return filled === 1 && text.length >= 40 && text.split(/\s+/).length >= 6;
}
