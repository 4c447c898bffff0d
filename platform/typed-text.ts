/** Result of parsing a typed text: a value, blank, or an error message. */
export type Cell<T> = { value: T } | { blank: true } | { wrong: string };

/** Parses a number in a range with at most `decimals` decimals; thousands may be grouped by commas. */
export function parseDecimal(cell: string, min: number, max: number, decimals: number): Cell<number> {
  const text = cell.trim();
  if (text === '') return { blank: true };
  const form = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d*))?$/.exec(text);
  if (!form || (form[1]?.length ?? 0) > decimals) return { wrong: 'not a number' };
  const value = Number(text.replaceAll(',', ''));
  const limit = max < 10_000 ? max : max.toLocaleString('en-US');
  if (value < min || value > max) return { wrong: `not between ${min} and ${limit}` };
  // Adding zero turns -0 into 0.
  return { value: value + 0 };
}

/** Parses a whole number in a range; '3.0', as written by spreadsheets, is 3. */
export function parseWholeNumber(cell: string, min: number, max: number): Cell<number> {
  const number = parseDecimal(cell, min, max, 6);
  if ('value' in number && !Number.isInteger(number.value)) return { wrong: 'not a whole number' };
  return number;
}

/** Collapses line ends, tabs and runs of spaces into single spaces. */
export const oneLine = (cell: string): string => cell.replace(/\s+/g, ' ').trim();

/** A text as a database can store it, also within JSON: what stands for no character of its own becomes U+FFFD. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

// Control characters except tab and line ends (a database cannot store NUL), and bidirectional formatting characters, which make
// a text read otherwise than it is.
const hidden = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A typed text of several lines with LF as line ends and without what nobody sees. */
export const visibleText = (typed: string): string =>
  typed.replace(/\r\n?/g, '\n').toWellFormed().replace(hidden, '');
