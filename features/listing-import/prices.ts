import { MAX_PRICE_CENTS } from '#features/listings/rules.ts';
import type { Cell } from '#platform/typed-text.ts';

const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mil: 1e6,
  mio: 1e6,
  million: 1e6,
};
const FOREIGN = /[€£¥₹₱₽₩]|\b(?:eur|gbp|cad|aud|mxn|jpy|chf|nzd)\b|[ac]\$|c\$/i;
const RANGE = /\d[\d.,]*\s*[km]?\s*(?:-|–|—|\bto\b)\s*\$?\s*\d/i;

/** A price in cents, and how it was understood when that is not plain. */
export interface Price {
  cents: number;
  note: string | null;
}

/**
 * Parses a price in US dollars in the usual notations: '950000', '$1,250,000.50', '1.200.000,00', '1 200 000', "1'200'000", '500k', '$1.2M',
 * 'USD 500k', '1E+06'. More than two decimals are rounded to the cent.
 */
export function parsePrice(cell: string): Cell<Price> {
  const text = cell
    .normalize('NFKC')
    .replace(/[\s\u00a0\u2009\u202f]+/g, ' ')
    .trim();
  if (text === '') return { blank: true };
  if (FOREIGN.test(text)) return { wrong: 'Price must be in US dollars.' };
  if (RANGE.test(text)) return { wrong: 'Price is a range, not one price.' };
  const plain = text
    .replace(/^(?:from|est\.?|approx\.?|asking|list(?:ed)?(?: at)?|price:?)\s+/i, '')
    .replace(/\b(?:us\s?dollars?|dollars?|usd)\b|us\s?\$|\$/gi, ' ')
    .replace(/\+$/, '')
    .trim();
  const form =
    /^(\(?[-−]?\(?)\s*([\d.,' ’]*\d[\d.,' ’]*?)(e[+-]?\d{1,2})?\s*(k|thousand|mm|mil|mio|million|m)?\.?\)?$/i.exec(
      plain,
    );
  if (!form) return { wrong: 'Price is not a number.' };
  const [, sign = '', digits = '', exponent = '', multiplier = ''] = form;
  const number = parseGrouped(digits.trim(), multiplier !== '' || exponent !== '');
  if (!number) return { wrong: 'Price is not a number.' };
  const dollars = Number(`${number.text}${exponent}`) * (MULTIPLIERS[multiplier.toLowerCase()] ?? 1);
  const cents = Math.round(dollars * 100);
  if (sign !== '' || cents <= 0) return { wrong: 'Price must be greater than 0.' };
  if (cents > MAX_PRICE_CENTS) return { wrong: 'Price must be at most $999,999,999.99.' };
  const isRounded = Math.abs(dollars * 100 - cents) > 1e-4;
  return { value: { cents, note: isRounded ? 'rounded to the cent' : number.note } };
}

/** Digits with a dot for decimals, from digits grouped in any usual way; null when they are grouped in none. */
function parseGrouped(digits: string, isScaled: boolean): { text: string; note: string | null } | null {
  const text = digits.replaceAll('’', "'");
  const plain = (whole: string, decimals = '') => ({
    text: `${whole.replace(/\D/g, '')}.${decimals || '0'}`,
    note: null,
  });
  if (/^\d+$/.test(text)) return plain(text);
  // 950.000 and 1.200 are grouped as in Europe: no property costs 950 dollars and three decimals.
  if (/^\d{1,3}\.\d{3}$/.test(text) && !text.startsWith('0') && !isScaled)
    return { ...plain(text), note: 'a dot before three digits groups thousands' };
  const decimal = /^(\d+)\.(\d*)$/.exec(text) ?? /^()\.(\d+)$/.exec(text);
  if (decimal) return plain(decimal[1] || '0', decimal[2]);
  for (const [group, point] of [
    [',', '.'],
    ['.', ','],
    [' ', '.'],
    [' ', ','],
    ["'", '.'],
  ] as const) {
    const form = new RegExp(`^(\\d{1,3}(?:\\${group}\\d{3})+)(?:\\${point}(\\d*))?$`).exec(text);
    if (form) return plain(form[1] ?? '', form[2]);
  }
  // '1,2M' and '950,50': a comma for decimals.
  const comma = /^(\d+),(\d{1,2})$/.exec(text);
  if (comma) return plain(comma[1] ?? '', comma[2]);
  return null;
}
