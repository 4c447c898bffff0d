import type { PaidWith } from '#gateways/payments/port.ts';
import { DAY } from '#platform/durations.ts';

/** Days from a release to the payout, by what the buyer paid with; a transfer is as final as a transaction on a chain. */
export type HoldDays = Readonly<Record<Exclude<PaidWith, 'transfer'>, number>>;

/** What decides whether the seller of a sale can be paid. */
export interface PayableSale {
  escrow: 'pending' | 'in_escrow' | 'completed' | 'cancelled';
  payout: 'pending' | 'processing' | 'completed' | 'failed' | null;
  /** null until escrow is released */
  releasedAt: Date | null;
  /** null when the provider did not say */
  paidWith: PaidWith | null;
  frozen: boolean;
  /** the buyer's bank disputes the payment, or has taken it back */
  disputed: boolean;
  sellerSuspended: boolean;
}

/** Why a seller is not paid; the first that holds, those that time does not settle before the one that it does. */
export type PayoutRefusal = 'not_released' | 'not_open' | 'frozen' | 'disputed' | 'suspended' | 'risk_hold';

export type PayoutDecision =
  | { ok: true }
  | { ok: false; reason: Exclude<PayoutRefusal, 'risk_hold'> }
  | { ok: false; reason: 'risk_hold'; until: Date };

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

/** Whether the seller of a sale can be paid now; if not, why, and until when. */
export function mayPayOut(sale: PayableSale, days: HoldDays, now: Date): PayoutDecision {
  const { escrow, payout, releasedAt, paidWith } = sale;
  if (escrow !== 'completed' || releasedAt === null) return { ok: false, reason: 'not_released' };
  if (payout !== 'pending' && payout !== 'failed') return { ok: false, reason: 'not_open' };
  if (sale.frozen) return { ok: false, reason: 'frozen' };
  if (sale.disputed) return { ok: false, reason: 'disputed' };
  if (sale.sellerSuspended) return { ok: false, reason: 'suspended' };
  const until = payoutHoldUntil({ releasedAt, paidWith }, days);
  return until > now ? { ok: false, reason: 'risk_hold', until } : { ok: true };
}
