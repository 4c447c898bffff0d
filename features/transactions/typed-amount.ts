import { parseDecimal } from '#platform/typed-text.ts';

const MOST_DOLLARS = 1_000_000_000;

/** A typed amount of dollars in cents; nothing typed is 0, and null what is no amount. */
export function centsFrom(typed: string): number | null {
  const amount = parseDecimal(typed.replace(/^\s*\$/, ''), 0, MOST_DOLLARS, 2);
  if ('blank' in amount) return 0;
  return 'value' in amount ? Math.round(amount.value * 100) : null;
}
