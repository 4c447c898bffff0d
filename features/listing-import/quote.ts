import { cutText } from '#platform/cut-text.ts';

/** Quotes a cell for a message: truncated to `maxLength` characters, without control characters. */
export function quoteCell(cell: string, maxLength: number): string {
  const short = cell.length > maxLength ? `${cutText(cell, maxLength)}…` : cell;
  return `"${short.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')}"`;
}
