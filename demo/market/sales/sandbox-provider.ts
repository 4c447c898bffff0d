import type { Insertable } from 'kysely';
import type { Fee } from '#features/fees/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import type { CheckoutStatus } from '#gateways/payments/port.ts';
import { checkoutTransaction } from '#gateways/payments/sandbox/ledger.ts';
import { defaultAccount, NETWORK } from '#gateways/payments/sandbox/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import type { Calendar } from '../calendar.ts';
import {
  type DemoRefund,
  paidBy,
  payoutReturned,
  payoutSettled,
  providerFee,
  providerReferences,
  refundOf,
  type Sale,
} from './sale.ts';

/** The sandbox provider's record of a sale, so that its payment can be queried and refunded. */
export function checkoutRow(
  sale: Sale,
  fees: readonly Fee[],
  calendar: Calendar,
): Insertable<DB['sandbox_checkouts']> {
  const { id, plan, amounts, paymentMethod } = sale;
  const { listing, buyer, begun, paid } = plan;
  const status = statusOf(sale);
  const references = providerReferences(sale);
  const underWay = status === 'paid' || status === 'processing';
  const address = String(listing.row.address);
  const lines = [
    { name: address, amountCents: amounts.price },
    ...fees.map((fee) => ({ name: fee.name, amountCents: feeCents(amounts.price, fee) })),
  ];
  const request = {
    lines: lines.filter(({ amountCents }) => amountCents > 0),
    description: `Purchase of ${address}`,
    buyerEmail: buyer.email,
    successUrl: paths.buyerActivity({ tab: 'transactions', sale: id }),
    cancelUrl: purchasePaths.left(listing.id, id),
  };
  return {
    ref: references.checkout,
    method: paymentMethod,
    sale_id: id,
    request: JSON.stringify(request),
    amount_cents: amounts.price + amounts.fees,
    status,
    paid_by: underWay
      ? paymentMethod === 'crypto'
        ? 'chain'
        : status === 'paid'
          ? paidBy(sale)
          : 'bank'
      : null,
    payment_ref: references.payment,
    tx_hash: references.transaction,
    network: references.transaction ? NETWORK : null,
    fee_cents: providerFee(sale),
    settle_after_ms: MINUTE,
    settle_at: status === 'processing' ? calendar.ahead(4.5) : null,
    expires_at: status === 'open' ? calendar.ahead(2) : calendar.ago(begun - 1),
    paid_at: paid === null ? null : calendar.ago(paid),
    created_at: calendar.ago(begun),
  };
}

function statusOf({ plan }: Sale): CheckoutStatus {
  if (plan.paid !== null) return 'paid';
  if (plan.endEvent === 'cancel_checkout') return 'canceled';
  if (plan.endEvent) return plan.endEvent === 'expire_checkout' ? 'expired' : 'failed';
  return plan.payment === 'processing' ? 'processing' : 'open';
}

/** The sandbox provider's record of a dispute. The fee for it is not posted in the demo's books, so it charges none here. */
export const disputeAtProvider = (sale: Sale, calendar: Calendar): Insertable<DB['sandbox_disputes']> => ({
  ref: providerReferences(sale).dispute,
  checkout_ref: providerReferences(sale).checkout,
  kind: 'chargeback',
  status: 'open',
  amount_cents: sale.amounts.price + sale.amounts.fees,
  reason: 'fraudulent',
  evidence_due_at: calendar.ahead(14),
  created_at: calendar.ago((sale.plan.paid ?? 4) / 4),
});

/** What changed the balance with the sandbox provider: the payment, what went back, and the seller's payout. */
export function transactionsAtProvider(
  sale: Sale,
  calendar: Calendar,
): Insertable<DB['sandbox_transactions']>[] {
  const { id, plan, amounts, paymentMethod } = sale;
  if (plan.paid === null) return [];
  const references = providerReferences(sale);
  const total = amounts.price + amounts.fees;
  const checkout = {
    ...defaultAccount(paymentMethod),
    ref: references.checkout,
    payment_ref: references.payment,
    sale_id: id,
  };
  const paid = { kind: 'payment', amountCents: total, feeCents: providerFee(sale) ?? 0 } as const;
  const rows = [checkoutTransaction(checkout, paid, calendar.ago(plan.paid))];
  const back = refundOf(sale);
  if (back) {
    const amountCents = -(back.baseCents + back.feesCents);
    const refund = { kind: 'refund', amountCents, objectRef: references.refund } as const;
    rows.push(checkoutTransaction(checkout, refund, calendar.ago(back.settled)));
  }
  if (plan.extra === 'disputed') {
    const dispute = { kind: 'dispute', amountCents: -total, objectRef: references.dispute } as const;
    rows.push(checkoutTransaction(checkout, dispute, calendar.ago(plan.paid / 4)));
  }
  const about = { objectRef: references.payout };
  if (plan.payout === 'completed' || plan.returned) {
    const payout = { kind: 'transfer', amountCents: -amounts.seller, ...about } as const;
    rows.push(checkoutTransaction(checkout, payout, calendar.ago(payoutSettled(plan.ended ?? 0))));
  }
  if (plan.returned) {
    const returned = { kind: 'transfer_return', amountCents: amounts.seller, ...about } as const;
    rows.push(checkoutTransaction(checkout, returned, calendar.ago(payoutReturned(plan.ended ?? 0))));
  }
  return rows.map((row, at) => ({ ...row, ref: `txn_sandbox_${id.replaceAll('-', '')}${at}` }));
}

/** The sandbox provider's record of a refund. */
export function refundAtProvider(
  sale: Sale,
  back: DemoRefund,
  calendar: Calendar,
): Insertable<DB['sandbox_refunds']> {
  const { checkout, refund } = providerReferences(sale);
  const ended = calendar.ago(back.settled);
  return {
    ref: refund,
    checkout_ref: checkout,
    amount_cents: back.baseCents + back.feesCents,
    status: 'succeeded',
    reason: back.reason,
    key: refundKey(sale),
    settle_at: ended,
    created_at: new Date(ended.getTime() - DAY / 5),
  };
}

/** The idempotency key of the refund, in the format of the sale state machine. */
export const refundKey = ({ id }: Sale): string => `refund:${id}:0`;
