import type Stripe from 'stripe';
import {
  type CheckoutState,
  type CheckoutStatus,
  PaymentError,
  type RefundState,
  type Tranche,
} from '../port.ts';
import { combinedRefund } from '../refund-parts.ts';
import { expanded, refundState } from './checkout.ts';
import { REFUND_OF } from './transactions.ts';
import type { TransferDetails } from './transfers-client.ts';

/** Still waits for transfers. */
export const isWaiting = ({ status }: Stripe.PaymentIntent): boolean =>
  status !== 'succeeded' && status !== 'canceled';

/** Converts a customer with its payment intents to a CheckoutState. */
export function transferState({ customer, intents, refunds }: TransferDetails): CheckoutState {
  const amountCents = Number(customer.metadata?.amount_cents);
  const expiresAt = new Date(customer.metadata?.due_at ?? Number.NaN);
  if (!Number.isSafeInteger(amountCents) || Number.isNaN(expiresAt.getTime()))
    throw new PaymentError('unavailable', 'Stripe told of a customer without amount or end');
  const tranches = tranchesOf(intents);
  const status = statusOf(intents, tranches, amountCents);
  const waiting = intents.find(isWaiting);
  const [first] = tranches;
  return {
    ref: customer.id,
    url: status === 'open' || status === 'processing' ? (waiting ? instructionsUrl(waiting) : null) : null,
    status,
    saleId: customer.metadata?.sale_id ?? null,
    amountCents,
    currency: intents.find(({ currency }) => currency !== 'usd')?.currency ?? 'usd',
    livemode: customer.livemode,
    feeCents: first ? tranches.reduce((sum, { feeCents }) => sum + (feeCents ?? 0), 0) : null,
    paymentRef: first?.ref ?? null,
    paidWith: first ? 'transfer' : null,
    receiptUrl: null,
    txHash: null,
    network: null,
    expiresAt,
    tranches,
    refunds: refundsOf(refunds),
    disputes: [],
  };
}

/** The intents that have received everything: only then is the money in our balance. In the order in which they did. */
export function tranchesOf(intents: readonly Stripe.PaymentIntent[]): Tranche[] {
  const received = intents.filter(({ status }) => status === 'succeeded');
  const at = (intent: Stripe.PaymentIntent) => expanded(intent.latest_charge)?.created ?? intent.created;
  return received
    .toSorted((a, b) => at(a) - at(b))
    .map((intent) => ({
      ref: intent.id,
      amountCents: intent.amount_received,
      feeCents: expanded(expanded(intent.latest_charge)?.balance_transaction)?.fee ?? null,
    }));
}

/** Closed once nothing waits anymore; what is half cancelled is not, so that it is cancelled again. */
function statusOf(
  intents: readonly Stripe.PaymentIntent[],
  tranches: readonly Tranche[],
  amountCents: number,
): CheckoutStatus {
  if (tranches.reduce((sum, tranche) => sum + tranche.amountCents, 0) >= amountCents) return 'paid';
  if (!intents.some(isWaiting)) return 'canceled';
  return tranches.length > 0 ? 'processing' : 'open';
}

/** The page with Stripe's instructions for one part, what is missing of it included. */
export const instructionsUrl = ({ next_action }: Stripe.PaymentIntent): string | null =>
  next_action?.display_bank_transfer_instructions?.hosted_instructions_url ?? null;

/**
 * The refunds of a payment. One of ours is complete only with all of its parts: until then it is not told of, and asking for it
 * again goes on with it.
 */
function refundsOf(refunds: readonly Stripe.Refund[]): RefundState[] {
  const oldestFirst = refunds.toSorted((a, b) => a.created - b.created);
  const groups = Map.groupBy(oldestFirst, (refund) => refund.metadata?.[REFUND_OF] ?? refund.id);
  return [...groups].flatMap(([ref, parts]) => {
    const { key = null, total_cents: total } = parts[0]?.metadata ?? {};
    if (total === undefined) return parts.map(refundState);
    const made = parts.reduce((sum, { amount }) => sum + amount, 0);
    return made < Number(total) ? [] : [combinedRefund({ ref, key }, parts.map(refundState))];
  });
}
