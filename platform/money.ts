import type { Cell } from './typed-text.ts';

const whole = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Formats integer cents as whole dollars, for cards and the property page: 59360000 is '$593,600'. */
export const wholeDollars = (cents: number): string => whole.format(cents / 100);

/** Formats integer cents exactly, for sales and receipts: 59360000 is '$593,600.00'. */
export const dollarsAndCents = (cents: number): string => exact.format(cents / 100);

/** Integer cents as a plain decimal, for files and interfaces: 59360000 is '593600.00'. */
export const decimalAmount = (cents: number): string => (cents / 100).toFixed(2);

/**
 * Parses dollars as people type them into integer cents: '1,250.5', '$950', '$ +3'. A sign stands behind the '$', and what is below zero or
 * above `maxCents` is wrong. It works on the digits, because a product of a parsed decimal and 100 is not always whole.
 */
export function parseDollars(typed: string, maxCents: number): Cell<number> {
  const text = typed.trim().replace(/^\$\s*/, '');
  if (text === '') return { blank: true };
  const [, sign, whole, fraction = ''] =
    /^([+-]?)(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{0,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return { wrong: 'not an amount' };
  const cents = Number(whole.replaceAll(',', '') + fraction.padEnd(2, '0'));
  if (cents > (sign === '-' ? 0 : maxCents)) return { wrong: 'out of range' };
  return { value: cents };
}
