/** What a spreadsheet would take for a formula. */
const FORMULA = /^\s*[=+\-@]|^[\t\r\n]/u;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * One line of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula begins with an apostrophe (R14);
 * null is an empty cell.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: string | null): string {
  if (cell === null) return '';
  const safe = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Cents as a plain amount of dollars for a file: 59360000 is '593600.00'. */
export const plainDollars = (cents: number): string => (cents / 100).toFixed(2);
