import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PdfTable } from './content.ts';
import {
  colors,
  heightOf,
  makeRoom,
  rule,
  type Sheet,
  type Structure,
  type TextStyle,
  write,
} from './sheet.ts';

const GUTTER = 16;
const PADDING = 7;

interface Row {
  cells: readonly string[];
  style: TextStyle;
  /** the structure of its cells: all are headers in the head, only the first one elsewhere */
  head: boolean;
}

/** Rows that are drawn before requests have their turn. */
const ROWS_AT_ONCE = 5;

/** A table with a header cell for each column and row. A row is never torn apart; each page begins with the head. */
export async function drawTable(sheet: Sheet, table: PdfTable): Promise<void> {
  const structure = sheet.doc.struct('Table');
  sheet.root.add(structure);
  const head: Row = {
    cells: table.columns.map(({ header }) => header),
    style: { size: 8.5, font: 'strong', color: colors.muted },
    head: true,
  };
  const rows: Row[] = table.rows.map((cells) => ({ cells, style: {}, head: false }));
  if (table.total) rows.push({ cells: table.total, style: { size: 11, font: 'strong' }, head: false });
  const first = rows[0] ? rowHeight(sheet, table, rows[0]) : 0;
  makeRoom(sheet, rowHeight(sheet, table, head) + first);
  drawRow(sheet, table, head, rowHeight(sheet, table, head), structure);
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn();
    const height = rowHeight(sheet, table, row);
    // The head was read once; repeated it is for the eye only.
    if (makeRoom(sheet, height)) drawRow(sheet, table, head, rowHeight(sheet, table, head), null);
    drawRow(sheet, table, row, height, structure);
  }
}

const placesOf = ({ left, width }: Sheet, { columns }: PdfTable) => {
  const all = columns.reduce((sum, { share }) => sum + share, 0);
  const free = width - GUTTER * (columns.length - 1);
  let x = left;
  return columns.map(({ share, right = false }) => {
    const place = { x, width: (free * share) / all, right };
    x += place.width + GUTTER;
    return place;
  });
};

const cellStyle = (style: TextStyle, right: boolean): TextStyle =>
  right ? { ...style, align: 'right', tabular: true } : style;

const rowHeight = (sheet: Sheet, table: PdfTable, { cells, style }: Row): number =>
  2 * PADDING +
  Math.max(
    ...placesOf(sheet, table).map(({ width, right }, at) =>
      heightOf(sheet, cells[at] ?? '', width, cellStyle(style, right)),
    ),
  );

/** @param structure the table's; null for a row that is not read */
function drawRow(sheet: Sheet, table: PdfTable, row: Row, height: number, structure: Structure | null): void {
  const { doc } = sheet;
  const top = doc.y;
  const line = structure ? doc.struct('TR') : null;
  if (line) structure?.add(line);
  else doc.markContent('Artifact', { type: 'Pagination' });
  for (const [at, { x, width, right }] of placesOf(sheet, table).entries()) {
    const draw = () =>
      write(sheet, row.cells[at] ?? '', { x, y: top + PADDING, width }, cellStyle(row.style, right));
    if (!line) draw();
    else if (row.head) line.add(doc.struct('TH', { scope: 'Column' }, draw));
    else line.add(at === 0 ? doc.struct('TH', { scope: 'Row' }, draw) : doc.struct('TD', draw));
  }
  if (!line) doc.endMarkedContent();
  rule(sheet, top + height);
  doc.y = top + height;
}
