import type Stripe from 'stripe';
import {
  type CheckoutState,
  type CheckoutStatus,
  type DisputeState,
  PaymentError,
  type RefundState,
} from './port.ts';

/** The metadata under which we mark a session that we close ourselves: Stripe calls both ends `expired`. */
export const CANCELED_AT = 'canceled_at';

/** The parts of Stripe's answer to one question: the session with its payment, its refunds and its disputes. */
export interface StripeFacts {
  session: Stripe.Checkout.Session;
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

/** What a checkout session says, in our words. Money has arrived only when `payment_status` says so (B-075). */
export function checkoutState({ session, refunds, disputes }: StripeFacts): CheckoutState {
  const intent = intentOf(session);
  const charge = expanded(intent?.latest_charge);
  const newest = disputes.toSorted((a, b) => b.created - a.created)[0];
  const status = statusOf(session);
  if (session.amount_total === null || session.currency === null || session.expires_at === null)
    throw new PaymentError('unavailable', 'Stripe told of a session without amount, currency or end');
  return {
    ref: session.id,
    url: status === 'open' ? session.url : null,
    status,
    saleId: session.client_reference_id ?? session.metadata?.sale_id ?? null,
    amountCents: session.amount_total,
    currency: session.currency,
    livemode: session.livemode,
    feeCents: status === 'paid' ? (expanded(charge?.balance_transaction)?.fee ?? null) : null,
    paymentRef: idOf(session.payment_intent),
    receiptUrl: status === 'paid' ? (charge?.receipt_url ?? null) : null,
    txHash: null,
    network: null,
    expiresAt: moment(session.expires_at),
    refunds: refunds.map(refundState),
    dispute: newest ? disputeState(newest) : null,
  };
}

/** A bank transfer is `complete` and unpaid for days; when the bank refuses it, only its payment tells. */
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
  const payment = intentOf(session)?.status;
  return payment === 'requires_payment_method' || payment === 'canceled' ? 'failed' : 'processing';
}

/** A refund in our words; `requires_action` waits for the buyer, `canceled` gave nothing back. */
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

/** Bank transfers are lost as soon as they are returned; only cards can be argued about. */
function disputeState(dispute: Stripe.Dispute): DisputeState {
  const due = dispute.evidence_details?.due_by;
  const takesEvidence = dispute.status.endsWith('needs_response');
  return {
    ref: dispute.id,
    status: ENDED[dispute.status] ?? 'open',
    amountCents: dispute.amount,
    reason: dispute.reason,
    evidenceDueAt: takesEvidence && due ? moment(due) : null,
  };
}

const ENDED: Readonly<Record<string, DisputeState['status']>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
};

/** The payment inside a session that was asked for with it. */
export function intentOf(session: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  return expanded(session.payment_intent);
}

function expanded<T extends object>(field: string | T | null | undefined): T | null {
  return typeof field === 'object' ? field : null;
}

function idOf(field: string | { id: string } | null): string | null {
  return typeof field === 'string' ? field : (field?.id ?? null);
}

function moment(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}
