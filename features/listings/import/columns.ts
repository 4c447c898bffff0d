/** Columns without which a row cannot become a listing. */
export const requiredColumns = ['source_id', 'price', 'address', 'property_type'] as const;

/** Columns that are read where the file has them; every other column is ignored. */
export const optionalColumns = [
  'title',
  'city',
  'state',
  'zip',
  'description',
  'bedrooms',
  'bathrooms',
  'square_feet',
  'lot_square_feet',
  'year_built',
  'latitude',
  'longitude',
] as const;

export type ColumnName = (typeof requiredColumns)[number] | (typeof optionalColumns)[number];

/** Where each known column stands in a row. */
export interface Columns {
  positions: ReadonlyMap<ColumnName, number>;
  /** cells of the header line */
  width: number;
}

const known: readonly string[] = [...requiredColumns, ...optionalColumns];
const MOST_COLUMNS = 1_000;
const MOST_NAMED = 12;

/**
 * Finds the known columns by name, in any order; 'Source ID' is 'source_id'.
 * @returns the reason in words for the operator when the line is not a usable header
 */
export function readHeader(
  cells: readonly string[],
): { ok: true; columns: Columns } | { ok: false; reason: string } {
  if (cells.length > MOST_COLUMNS) {
    return {
      ok: false,
      reason: `The first line has ${cells.length.toLocaleString('en-US')} columns; at most 1,000 are read.`,
    };
  }
  const positions = new Map<ColumnName, number>();
  for (const [index, cell] of cells.entries()) {
    const name = cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    if (!isKnown(name)) continue;
    if (positions.has(name))
      return { ok: false, reason: `The column ${name} stands twice in the first line.` };
    positions.set(name, index);
  }
  const missing = requiredColumns.filter((name) => !positions.has(name));
  if (missing.length) return { ok: false, reason: missingText(missing, cells) };
  return { ok: true, columns: { positions, width: cells.length } };
}

const isKnown = (name: string): name is ColumnName => known.includes(name);

function missingText(missing: readonly string[], cells: readonly string[]): string {
  const named = cells.slice(0, MOST_NAMED).map((cell) => shown(cell, 30));
  const rest = cells.length > MOST_NAMED ? ` and ${cells.length - MOST_NAMED} more` : '';
  const only = cells.length === 1 ? (cells[0] ?? '') : '';
  const other = only.includes(';') ? 'semicolons' : only.includes('\t') ? 'tabs' : null;
  return [
    `The first line must name the columns. Missing: ${missing.join(', ')}.`,
    `Found: ${named.join(', ')}${rest}.`,
    ...(other ? [`The cells seem to be separated by ${other}: save the file with commas.`] : []),
  ].join(' ');
}

/** A cell for a message: at most `longest` characters, nothing that could act on a terminal. */
export function shown(cell: string, longest: number): string {
  const short = cell.length > longest ? `${cell.slice(0, longest)}…` : cell;
  return `"${short.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')}"`;
}
