import { plural } from '#platform/format-count.ts';
import type { PublicEvent, PublicEventKind } from './model.ts';

export const eventLabels: Record<PublicEventKind, string> = {
  listed: 'Listed',
  relisted: 'Relisted',
  back: 'Back on the market',
  price: 'Price changed',
  escrow: 'In Escrow',
  sold: 'Sold',
  removed: 'Taken off the market',
};

/** '−4.2%' or '+3%'; null when the price is the same. */
export function changeText({
  cents,
  previousCents,
}: Pick<PublicEvent, 'cents' | 'previousCents'>): string | null {
  if (previousCents === null || previousCents === 0) return null;
  const tenths = Math.round(((cents - previousCents) * 1000) / previousCents);
  return `${tenths < 0 ? '−' : '+'}${Math.abs(tenths) / 10}%`;
}

/** '1 day on the market' */
export function daysText(days: number): string {
  if (days === 0) return 'Less than a day on the market';
  return `${plural(days, 'day', 'days')} on the market`;
}
