import type { SaleState } from '#features/sales/model.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { anyone, hasRole, nobody } from '#platform/access.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';

/** For timers, provider messages and the operator only. */
export const mayReconcile = nobody;
/** Decisions about money that no party of a sale may take. */
export const mayDecidePayments = hasRole('admin');
/** Messages are looked at, and processed again. */
export const mayReplayMessages = hasRole('admin');
/** Providers have no account here: their messages are authenticated by signature. */
export const mayReceiveMessages = anyone;

/** Days after which a refund that has not arrived is looked at: banks take up to ten business days, a blockchain minutes. */
export const REFUND_DAYS: Record<PaymentMethod, number> = { card: 16, crypto: 2 };

/**
 * When a sale is checked with its provider again (R3): every ten minutes while money is expected or on its way back, every
 * hour while it is held or may still arrive late, daily for half a year, because on-chain payments can arrive at any time, and
 * for as long as a dispute is open. Null: never again.
 */
export function nextAskAt(
  state: SaleState,
  {
    createdAt,
    refundRunning,
    disputeOpen,
  }: { createdAt: Date; refundRunning: boolean; disputeOpen: boolean },
  now: Date,
): Date | null {
  const after = (ms: number) => new Date(now.getTime() + ms);
  const age = now.getTime() - createdAt.getTime();
  if (state.payment === 'pending' || state.payment === 'processing') return after(10 * MINUTE);
  if (refundRunning || (state.payment === 'completed' && state.escrow === 'cancelled'))
    return after(10 * MINUTE);
  if (state.escrow === 'in_escrow') return after(HOUR);
  if (state.payment === 'failed' && age < 7 * DAY) return after(HOUR);
  return disputeOpen || age < 180 * DAY ? after(DAY) : null;
}

/** When a provider that did not answer about a sale is asked again: after ten minutes, then twice as long each time, at most six hours. */
export const retryAskAt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(6 * HOUR, 10 * MINUTE * 2 ** (failures - 1)));
