/** Columns that every row needs. */
export const requiredColumns = ['source_id', 'price', 'address', 'property_type'] as const;

/** Optional columns; any other column is ignored. */
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

/** Positions of the known columns in a row. */
export interface Columns {
  positions: ReadonlyMap<ColumnName, number>;
  /** number of cells in the header */
  width: number;
}

const knownColumns: readonly string[] = [...requiredColumns, ...optionalColumns];
const MAX_COLUMNS = 1_000;
const MAX_NAMED = 12;

/**
 * Finds the known columns by name, in any order; 'Source ID' is 'source_id'.
 * @returns an explanation for the operator when the line is not a usable header
 */
export function parseHeader(
  cells: readonly string[],
): { ok: true; columns: Columns } | { ok: false; reason: string } {
  if (cells.length > MAX_COLUMNS) {
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
      return { ok: false, reason: `The column ${name} appears twice in the first line.` };
    positions.set(name, index);
  }
  const missing = requiredColumns.filter((name) => !positions.has(name));
  if (missing.length) return { ok: false, reason: missingColumnsMessage(missing, cells) };
  return { ok: true, columns: { positions, width: cells.length } };
}

const isKnown = (name: string): name is ColumnName => knownColumns.includes(name);

function missingColumnsMessage(missing: readonly string[], cells: readonly string[]): string {
  const named = cells.slice(0, MAX_NAMED).map((cell) => quoteCell(cell, 30));
  const rest = cells.length > MAX_NAMED ? ` and ${cells.length - MAX_NAMED} more` : '';
  const only = cells.length === 1 ? (cells[0] ?? '') : '';
  const other = only.includes(';') ? 'semicolons' : only.includes('\t') ? 'tabs' : null;
  return [
    `The first line must name the columns. Missing: ${missing.join(', ')}.`,
    `Found: ${named.join(', ')}${rest}.`,
    ...(other ? [`The cells seem to be separated by ${other}: save the file with commas.`] : []),
  ].join(' ');
}

/** Quotes a cell for a message: truncated to `maxLength` characters, without control characters. */
export function quoteCell(cell: string, maxLength: number): string {
  const short = cell.length > maxLength ? `${cell.slice(0, maxLength)}…` : cell;
  return `"${short.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')}"`;
}
