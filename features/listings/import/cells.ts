/** What a cell says: a value, nothing (blank), or something that cannot be used, with the reason. */
export type Cell<T> = { value: T } | { blank: true } | { wrong: string };

const blank = { blank: true } as const;
const MOST_CENTS = 99_999_999_999;

/** Dollars as people write them, to integer cents: '1,250,000', '$950000.50' (B-103). */
export function priceCents(cell: string): Cell<number> {
  const text = cell.trim();
  if (text === '') return blank;
  const amount = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!amount) return { wrong: 'Price must be a number greater than 0.' };
  const cents = Number(amount[1]?.replaceAll(',', '')) * 100 + Number((amount[2] ?? '').padEnd(2, '0'));
  if (cents === 0) return { wrong: 'Price must be a number greater than 0.' };
  if (cents > MOST_CENTS) return { wrong: 'Price must be at most $999,999,999.99.' };
  return { value: cents };
}

/** A whole number in a range; '3.0', as spreadsheets write it, is 3. */
export function wholeNumber(cell: string, least: number, most: number): Cell<number> {
  const number = decimal(cell, least, most, 6);
  if ('value' in number && !Number.isInteger(number.value)) return { wrong: 'not a whole number' };
  return number;
}

/** An area in square feet, to two decimals. */
export function area(cell: string, most: number): Cell<number> {
  const number = decimal(cell, 0, most, 15);
  return 'value' in number ? { value: Math.round(number.value * 100) / 100 } : number;
}

/** Degrees with a sign. */
export const degrees = (cell: string, most: number): Cell<number> => decimal(cell, -most, most, 20);

/**
 * Full and half bathrooms: '2.5' is two and a half (B-036). Quarters, as some records count them, become the half
 * bathroom that they come closest to in use; `rounded` says so.
 */
export function bathrooms(cell: string): Cell<{ full: number; half: number; rounded: boolean }> {
  const number = decimal(cell, 0, 99.75, 6);
  if (!('value' in number)) return number;
  const full = Math.floor(number.value);
  const part = number.value - full;
  if (![0, 0.25, 0.5, 0.75].includes(part)) return { wrong: 'not whole or half bathrooms' };
  return { value: { full, half: part ? 1 : 0, rounded: part === 0.25 || part === 0.75 } };
}

function decimal(cell: string, least: number, most: number, decimals: number): Cell<number> {
  const text = cell.trim();
  if (text === '') return blank;
  const form = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d*))?$/.exec(text);
  if (!form || (form[1]?.length ?? 0) > decimals) return { wrong: 'not a number' };
  const value = Number(text.replaceAll(',', ''));
  const limit = most < 10_000 ? most : most.toLocaleString('en-US');
  if (value < least || value > most) return { wrong: `not between ${least} and ${limit}` };
  // Adding zero turns -0 into 0.
  return { value: value + 0 };
}

// Control characters but tab and line ends, and the marks that turn the reading direction.
const hidden = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * The name of the first character that no text needs: control characters (a NUL cannot even be stored) and the marks
 * with which a text can show something else than it says. Null where there is none.
 */
export function hiddenCharacter(cell: string): string | null {
  const found = hidden.exec(cell)?.[0];
  if (found === undefined) return null;
  return found === '\0' ? 'NUL' : `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** True when a spreadsheet would run the cell as a formula. */
export const isFormula = (cell: string): boolean => /^\s*[=+@-]/.test(cell);

/** One line of text: line ends, tabs and runs of spaces become one space. */
export const oneLine = (cell: string): string => cell.replace(/\s+/g, ' ').trim();
