import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import type { PayoutRow } from './payout-rows.ts';

/** How long after it was sent a payout that has arrived is still asked about: until then it may come back. */
const WATCHED_MS = 90 * DAY;

/**
 * When a provider is asked about a payout again: every five minutes in its first hour, then every hour, after two days every six;
 * daily once money has arrived, because it can come back. Null: never again.
 */
export function nextPayoutAskAt(
  {
    status,
    paid_cents,
    created_at,
    settled_at,
  }: Pick<PayoutRow, 'status' | 'paid_cents' | 'created_at' | 'settled_at'>,
  now: Date,
): Date | null {
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (status === 'processing') {
    const age = now.getTime() - created_at.getTime();
    return after(age < HOUR ? 5 * MINUTE : age < 2 * DAY ? HOUR : 6 * HOUR);
  }
  const over = settled_at !== null && now.getTime() - settled_at.getTime() > WATCHED_MS;
  return paid_cents > 0 && !over ? after(DAY) : null;
}

/** When a provider that did not answer about a payout is asked again: after ten minutes, then twice as long each time, at most six hours. */
export const retryPayoutAskAt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(6 * HOUR, 10 * MINUTE * 2 ** (failures - 1)));
