import { DAY } from '../durations.ts';
import { decimalAmount } from '../money.ts';
import { type FileColumn, isFormula } from './columns.ts';
import { sheetName, styles, workbookParts } from './xlsx-parts.ts';
import { type ZipEntry, zipFile } from './zip.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What a sheet can hold, with its head; further rows stand on another one. */
const SHEET_ROWS = 1_048_576;
/** What a cell can hold, in UTF-16 units. */
const CELL_LENGTH = 32_767;
/** Day zero of the format. */
const EPOCH = Date.UTC(1899, 11, 30);

interface XlsxOptions {
  /** the name of the sheet, at most 28 characters */
  title: string;
  /** when the file is written */
  at: Date;
  /** rows on a sheet with its head; for tests */
  sheetRows?: number;
}

/**
 * A table as an Excel workbook (Office Open XML), streamed as its rows are read, in a memory that does not depend on their number.
 * Amounts and times are numbers with a format, times in UTC; text is never a formula, and one that looks like it is marked as
 * text, so that it stays one when its cell is edited (R14).
 */
export function xlsxFile<Row>(
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  { title, at, sheetRows = SHEET_ROWS }: XlsxOptions,
): AsyncGenerator<Uint8Array> {
  return zipFile(entriesOf(columns, batches, title, sheetRows - 1), at);
}

async function* entriesOf<Row>(
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  title: string,
  mostRows: number,
): AsyncGenerator<ZipEntry> {
  const source = new Batches(batches);
  const letters = columns.map((_, at) => columnName(at));
  let sheets = 0;
  try {
    do {
      sheets += 1;
      yield { name: sheetName(sheets), content: sheetOf(columns, letters, source, mostRows) };
    } while (!(await source.isAtEnd()));
    yield* workbookParts(title, sheets);
  } finally {
    await source.close();
  }
}

/** Batches of rows that several sheets take from, one after the other. */
class Batches<Row> {
  readonly #iterator: AsyncIterator<readonly Row[]>;
  #rest: readonly Row[] = [];
  #ended = false;

  constructor(batches: AsyncIterable<readonly Row[]>) {
    this.#iterator = batches[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#ended) {
      const { value, done } = await this.#iterator.next();
      if (done) this.#ended = true;
      else this.#rest = value;
    }
    return this.#rest.length === 0;
  }

  /** The next rows, at most so many; none at the end. */
  async take(most: number): Promise<readonly Row[]> {
    if (await this.isAtEnd()) return [];
    const taken = this.#rest.slice(0, most);
    this.#rest = this.#rest.slice(most);
    return taken;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

async function* sheetOf<Row>(
  columns: readonly FileColumn<Row>[],
  letters: readonly string[],
  source: Batches<Row>,
  mostRows: number,
): AsyncGenerator<string> {
  const head = columns.map(({ header }, at) => textCell(`${letters[at]}1`, header, styles.head)).join('');
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.map(widthOf).join('')}</cols><sheetData><row r="1">${head}</row>`;
  let number = 1;
  for (
    let rows = await source.take(mostRows);
    rows.length > 0;
    rows = await source.take(mostRows - number + 1)
  ) {
    let text = '';
    for (const row of rows) {
      number += 1;
      text += `<row r="${number}">`;
      for (const [at, column] of columns.entries()) text += cellOf(column, row, `${letters[at]}${number}`);
      text += '</row>';
    }
    yield text;
  }
  yield '</sheetData></worksheet>';
}

function cellOf<Row>(column: FileColumn<Row>, row: Row, place: string): string {
  if ('text' in column) {
    const text = column.text(row);
    return text === null || text === ''
      ? ''
      : textCell(place, text, isFormula(text) ? styles.formulaLike : 0);
  }
  if ('time' in column) {
    const time = column.time(row);
    return time === null ? '' : numberCell(place, String((time.getTime() - EPOCH) / DAY), styles.time);
  }
  const cents = column.cents(row);
  return cents === null ? '' : numberCell(place, decimalAmount(cents), styles.dollars);
}

const numberCell = (place: string, value: string, style: number) =>
  `<c r="${place}" s="${style}"><v>${value}</v></c>`;

function textCell(place: string, text: string, style: number): string {
  const styled = style === 0 ? '' : ` s="${style}"`;
  return `<c r="${place}" t="inlineStr"${styled}><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const SPECIAL = /[&<>]/g;
// XML cannot hold these at all.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text for XML. What looks like the format's own escapes of characters is kept from being read as one. */
const xmlText = (text: string): string =>
  text
    .slice(0, CELL_LENGTH)
    .toWellFormed()
    .replace(IMPOSSIBLE, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/\r\n?/g, '\n')
    .replace(SPECIAL, (character) => entities[character] ?? '');

/** Widths in characters. */
const widthOf = <Row>(column: FileColumn<Row>, at: number) =>
  `<col min="${at + 1}" max="${at + 1}" width="${'text' in column ? 24 : 'time' in column ? 22 : 16}" customWidth="1"/>`;

/** A, B, … Z, AA, … */
const columnName = (at: number): string =>
  (at >= 26 ? columnName(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));
