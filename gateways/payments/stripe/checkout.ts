import type Stripe from 'stripe';
import { DAY } from '#platform/durations.ts';
import { BANK_REFUND_DAYS } from '../checkout-request.ts';
import {
  type CheckoutState,
  type CheckoutStatus,
  type PaidWith,
  PaymentError,
  type RefundState,
} from '../port.ts';
import { disputeState } from './dispute.ts';

/** Metadata key that marks a session we canceled: Stripe calls both canceled and expired sessions `expired`. */
export const CANCELED_AT = 'canceled_at';

/** A session with its payment, refunds and disputes. */
export interface StripeCheckoutDetails {
  session: Stripe.Checkout.Session;
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

/** Converts a Stripe session to a CheckoutState. Only `payment_status` says whether the funds have arrived. */
export function checkoutState({ session, refunds, disputes }: StripeCheckoutDetails): CheckoutState {
  const intent = paymentIntentOf(session);
  const charge = expanded(intent?.latest_charge);
  const status = statusOf(session);
  if (session.amount_total === null || session.currency === null || session.expires_at === null)
    throw new PaymentError('unavailable', 'Stripe told of a session without amount, currency or end');
  return {
    ref: session.id,
    url: status === 'open' ? session.url : null,
    status,
    // Not the reference of the client: other systems in the account give theirs.
    saleId: session.metadata?.sale_id ?? null,
    amountCents: session.amount_total,
    currency: session.currency,
    livemode: session.livemode,
    feeCents: status === 'paid' ? (expanded(charge?.balance_transaction)?.fee ?? null) : null,
    paymentRef: idOf(session.payment_intent),
    paidWith: PAID_WITH[charge?.payment_method_details?.type ?? ''] ?? null,
    receiptUrl: status === 'paid' ? (charge?.receipt_url ?? null) : null,
    txHash: null,
    network: null,
    expiresAt: fromUnixSeconds(session.expires_at),
    tranches: [],
    refunds: refunds.map(refundState),
    disputes: disputes.toSorted((a, b) => a.created - b.created).map(disputeState),
  };
}

/** Other types, such as Link, do not say whether a card or a bank account stands behind them. */
const PAID_WITH: Readonly<Record<string, PaidWith>> = { card: 'card', us_bank_account: 'bank' };

/** A bank transfer is `complete` but unpaid for days; only the payment shows when the bank rejects it. */
function statusOf(session: Stripe.Checkout.Session): CheckoutStatus {
  switch (session.status) {
    case 'open':
      return 'open';
    case 'expired':
      return session.metadata?.[CANCELED_AT] ? 'canceled' : 'expired';
    case 'complete':
      break;
    default:
      throw new PaymentError('unavailable', `Stripe told of a session that is ${session.status}`);
  }
  if (session.payment_status === 'paid') return 'paid';
  const payment = paymentIntentOf(session)?.status;
  return payment === 'requires_payment_method' || payment === 'canceled' ? 'failed' : 'processing';
}

/** Converts a Stripe refund to a RefundState; `requires_action` waits for the buyer, `canceled` refunded nothing. */
export function refundState(refund: Stripe.Refund): RefundState {
  const status = REFUNDS[refund.status ?? 'pending'];
  if (!status) throw new PaymentError('unavailable', `Stripe told of a refund that is ${refund.status}`);
  return { ref: refund.id, status, amountCents: refund.amount, key: refund.metadata?.key ?? null };
}

const REFUNDS: Readonly<Record<string, RefundState['status']>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/** Whether a session was paid by a bank transfer so long ago that it cannot be refunded anymore. */
export function isPastBankRefunds(session: Stripe.Checkout.Session, now: Date): boolean {
  const charge = expanded(paymentIntentOf(session)?.latest_charge);
  if (charge?.payment_method_details?.type !== 'us_bank_account') return false;
  return now.getTime() > charge.created * 1000 + BANK_REFUND_DAYS * DAY;
}

/** The session's payment, if it was expanded. */
export function paymentIntentOf(session: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  return expanded(session.payment_intent);
}

export function expanded<T extends object>(field: string | T | null | undefined): T | null {
  return typeof field === 'object' ? field : null;
}

function idOf(field: string | { id: string } | null): string | null {
  return typeof field === 'string' ? field : (field?.id ?? null);
}

function fromUnixSeconds(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}
