import { parseDollars } from '#platform/money.ts';

const MOST_CENTS = 1_000_000_000_00;

/** A typed amount of dollars in cents; 0 if nothing was typed, null if it is not an amount. */
export function centsFrom(typed: string): number | null {
  const amount = parseDollars(typed, MOST_CENTS);
  if ('blank' in amount) return 0;
  return 'value' in amount ? amount.value : null;
}
