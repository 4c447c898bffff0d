/** Text that a spreadsheet would treat as a formula. */
const FORMULA = /^\s*[=+\-@]|^[\t\r\n]/u;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * One line of a CSV file (RFC 4180). Text that a spreadsheet would treat as a formula is prefixed with an apostrophe (R14);
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
