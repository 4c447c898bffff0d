import type { PaidWith } from '#gateways/payments/port.ts';
import type { PayoutMethod, PayoutRefusal, PayoutRefused } from './model.ts';
import { type HoldDays, payoutHoldUntil } from './payout-hold.ts';

/** What decides whether the seller of a sale can be paid. */
export interface PayableSale {
  escrow: 'pending' | 'in_escrow' | 'completed' | 'cancelled';
  payout: 'pending' | 'processing' | 'completed' | 'failed' | null;
  /** null until escrow is released */
  releasedAt: Date | null;
  /** null when the provider did not say */
  paidWith: PaidWith | null;
  frozen: boolean;
  /** the buyer's bank disputes the payment and has not decided */
  disputed: boolean;
  refundRunning: boolean;
  /** the payment and the provider of payouts are both live, or both test */
  rightMode: boolean;
  /** null when there is none */
  seller: PayableSeller | null;
}

export interface PayableSeller {
  /** is paid by hand: nobody can mend a destination that payouts come back from */
  archived: boolean;
  suspended: boolean;
  /** null for none, and of an archived seller */
  method: PayoutMethod | null;
  stripeAccount: string | null;
  transfersActive: boolean;
  paypalEmail: string | null;
  paypalConfirmed: boolean;
  /** until when payouts to a new destination are held; may be past */
  holdUntil: Date | null;
}

export type PayoutDecision = { ok: true } | PayoutRefused;

/**
 * Whether the seller of a sale can be paid now; if not, why, and until when. Where nothing is to be sent, neither the seller's
 * settings nor the holds matter.
 */
export function decidePayout(
  sale: PayableSale,
  { isNothing, days, now }: { isNothing: boolean; days: HoldDays; now: Date },
): PayoutDecision {
  const { releasedAt, paidWith, seller } = sale;
  if (sale.escrow !== 'completed' || releasedAt === null) return refused('not_released');
  if (sale.payout === 'processing') return refused('already_processing');
  if (sale.payout !== 'pending') return refused('not_open');
  if (sale.frozen) return refused('frozen');
  if (sale.disputed) return refused('disputed');
  if (sale.refundRunning) return refused('refund_running');
  if (isNothing) return { ok: true };
  if (!seller) return refused('no_seller');
  if (seller.suspended && !seller.archived) return refused('suspended');
  const missing = missingDestination(seller);
  if (missing) return refused(missing);
  if (!sale.rightMode) return refused('wrong_mode');
  const until = payoutHoldUntil({ releasedAt, paidWith }, days);
  if (until > now) return { ok: false, refusal: 'risk_hold', until };
  if (!seller.archived && seller.holdUntil && seller.holdUntil > now)
    return { ok: false, refusal: 'cooling_down', until: seller.holdUntil };
  return { ok: true };
}

const refused = (refusal: PayoutRefusal): PayoutRefused => ({ ok: false, refusal });

function missingDestination(seller: PayableSeller): PayoutRefusal | null {
  if (seller.archived) return null;
  if (seller.method === null) return 'no_method';
  if (seller.method === 'stripe') {
    if (seller.stripeAccount === null) return 'no_stripe_account';
    return seller.transfersActive ? null : 'account_inactive';
  }
  if (seller.paypalEmail === null) return 'no_paypal_email';
  return seller.paypalConfirmed ? null : 'paypal_unconfirmed';
}
