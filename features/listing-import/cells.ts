import { type Cell, parseDecimal } from '#platform/typed-text.ts';

// Words that sources write into a cell that has no value; also several of them, as 'NULL NULL' of two joined columns.
const BLANK =
  /^(?:(?:null|n\/?a|#n\/a|#ref!|#value!|#name\?|#div\/0!|#null!|none|nil|nan|unknown|unk|undefined|undisclosed|not (?:available|applicable|provided|disclosed|specified|listed|recorded|reported)|no data|missing|tbd|to be determined|\(?(?:blank|null|none|empty)\)?|[.\-–—_?*~,;:/\\]+)\s*)+$/i;

// An apostrophe that our exports, like others, put before what a spreadsheet would run (R14).
const GUARD = /^'(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** Whether an export has marked a cell as text, although it begins like a formula. */
export const isGuarded = (cell: string): boolean => GUARD.test(cell.trim());

/** A cell without the spaces around it and without a spreadsheet's `="…"`; '' for words that mean no value, such as NULL, N/A or '.....'. */
export function cellText(cell: string): string {
  const trimmed = cell.trim().replace(GUARD, '').trim();
  if (trimmed === '') return '';
  const text =
    trimmed.startsWith('="') && trimmed.endsWith('"') && trimmed.length > 3
      ? trimmed.slice(2, -1).trim()
      : trimmed;
  return text.length <= 60 && BLANK.test(text) ? '' : text;
}

/** A number as files write it, with the comma of a decimal as a dot: '43,689546', '2,5'. Groups of thousands keep theirs. */
export const dotted = (cell: string): string =>
  /^[+-]?\d+,\d{1,2}$|^[+-]?\d+,\d{4,}$/.test(cell) ? cell.replace(',', '.') : cell;

/** Parses signed degrees. */
export const parseDegrees = (cell: string, max: number): Cell<number> =>
  parseDecimal(dotted(cell), -max, max, 20);

/** '2,332 sq ft' and '2332.0 SqFt' as '2,332' and '2332.0'; `acres` when the cell says so. */
export function withoutUnit(cell: string): { text: string; acres: boolean } {
  const form = /^([\d.,]+)\s*(sq\.? ?f(?:ee|oo)?t\.?|sqft|sf|square feet|ft²|ft2|acres?|ac)\.?$/i.exec(cell);
  return form ? { text: form[1] ?? '', acres: /^ac/i.test(form[2] ?? '') } : { text: cell, acres: false };
}

/**
 * Parses full and half bathrooms: '2.5' is two full and one half. Quarters, as used in some public records, are
 * rounded to a half bathroom, which sets `rounded`.
 */
export function parseBathrooms(cell: string): Cell<{ full: number; half: number; rounded: boolean }> {
  const number = parseDecimal(dotted(cell), 0, 99.75, 6);
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
