import type { Insertable } from 'kysely';
import { paths } from '#app/paths.ts';
import type { Fee } from '#features/fees/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import type { CheckoutStatus } from '#gateways/payments/port.ts';
import { NETWORK } from '#gateways/payments/sandbox/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { paidBy, providerFee, providerNames, type Sale } from './sale.ts';

const DAY_MS = 86_400_000;

/** What the sandbox provider remembers of a sale, so that it can be asked about it and give its money back. */
export function checkoutRow(
  sale: Sale,
  fees: readonly Fee[],
  calendar: Calendar,
): Insertable<DB['sandbox_checkouts']> {
  const { id, deal, amounts, rail } = sale;
  const { listing, buyer, begun, paid } = deal;
  const status = statusOf(sale);
  const names = providerNames(sale);
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
    cancelUrl: paths.purchaseLeft(listing.id, id),
  };
  return {
    ref: names.checkout,
    rail,
    sale_id: id,
    request: JSON.stringify(request),
    amount_cents: amounts.price + amounts.fees,
    status,
    paid_by: underWay ? (rail === 'crypto' ? 'chain' : status === 'paid' ? paidBy(sale) : 'bank') : null,
    payment_ref: names.payment,
    tx_hash: names.transaction,
    network: names.transaction ? NETWORK : null,
    fee_cents: providerFee(sale),
    settle_after_ms: 60_000,
    settle_at: status === 'processing' ? calendar.ahead(4.5) : null,
    expires_at: status === 'open' ? calendar.ahead(2) : calendar.ago(begun - 1),
    paid_at: paid === null ? null : calendar.ago(paid),
    dispute: deal.extra === 'disputed' ? JSON.stringify(disputeOf(sale, calendar)) : null,
    created_at: calendar.ago(begun),
  };
}

function statusOf({ deal }: Sale): CheckoutStatus {
  if (deal.paid !== null) return 'paid';
  if (deal.end === 'cancel_checkout') return 'canceled';
  if (deal.end) return deal.end === 'expire_checkout' ? 'expired' : 'failed';
  return deal.payment === 'processing' ? 'processing' : 'open';
}

const disputeOf = (sale: Sale, calendar: Calendar) => ({
  ref: providerNames(sale).dispute,
  status: 'open',
  amountCents: sale.amounts.price + sale.amounts.fees,
  reason: 'fraudulent',
  evidenceDueAt: calendar.ahead(14).toISOString(),
});

/** The provider's side of a refund. */
export function refundAtProvider(sale: Sale, calendar: Calendar): Insertable<DB['sandbox_refunds']> {
  const { checkout, refund } = providerNames(sale);
  const ended = calendar.ago(sale.deal.ended ?? 1);
  return {
    ref: refund,
    checkout_ref: checkout,
    amount_cents: sale.amounts.price + sale.amounts.fees,
    status: 'succeeded',
    reason: sale.deal.failure ?? 'Cancelled by agreement.',
    key: refundKey(sale),
    settle_at: ended,
    created_at: new Date(ended.getTime() - DAY_MS / 5),
  };
}

/** The key that the refund was asked for with, as the sale machine makes it. */
export const refundKey = ({ id }: Sale): string => `refund:${id}:0`;
