import { type Cell, parseDecimal } from '#platform/typed-text.ts';

/** Parses signed degrees. */
export const parseDegrees = (cell: string, max: number): Cell<number> => parseDecimal(cell, -max, max, 20);

/**
 * Parses full and half bathrooms: '2.5' is two full and one half. Quarters, as used in some public records, are
 * rounded to a half bathroom, which sets `rounded`.
 */
export function parseBathrooms(cell: string): Cell<{ full: number; half: number; rounded: boolean }> {
  const number = parseDecimal(cell, 0, 99.75, 6);
  if (!('value' in number)) return number;
  const full = Math.floor(number.value);
  const part = number.value - full;
  if (![0, 0.25, 0.5, 0.75].includes(part)) return { wrong: 'not whole or half bathrooms' };
  return { value: { full, half: part ? 1 : 0, rounded: part === 0.25 || part === 0.75 } };
}

// Control characters except tab and line ends, and bidirectional formatting characters.
const hidden = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * The name of the first control or bidirectional formatting character (a NUL cannot be stored; the others can
 * disguise text), or null.
 */
export function hiddenCharacter(cell: string): string | null {
  const found = hidden.exec(cell)?.[0];
  if (found === undefined) return null;
  return found === '\0' ? 'NUL' : `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** True if a spreadsheet would run the cell as a formula. */
export const isFormula = (cell: string): boolean => /^\s*[=+@-]/.test(cell);
