import type { PaidWith } from '#gateways/payments/port.ts';
import { DAY } from '#platform/durations.ts';

/** Days from a release to the payout, by what the buyer paid with; a transfer is as final as a transaction on a chain. */
export type HoldDays = Readonly<Record<Exclude<PaidWith, 'transfer'>, number>>;

/**
 * Until when a payout waits because the payment can still be taken back: a card payment can be disputed, a bank debit returned.
 * It delays the payout, never the closing. A payment of which nothing is known waits as long as the riskiest.
 */
export function payoutHoldUntil(
  { releasedAt, paidWith }: { releasedAt: Date; paidWith: PaidWith | null },
  days: HoldDays,
): Date {
  const kind = paidWith === 'transfer' ? 'chain' : paidWith;
  const held = kind ? days[kind] : Math.max(days.card, days.bank, days.chain);
  return new Date(releasedAt.getTime() + held * DAY);
}
