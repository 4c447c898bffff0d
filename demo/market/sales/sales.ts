import type { Insertable } from 'kysely';
import type { Fee } from '#features/fees/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { PLATFORM_PERCENT } from '../fees.ts';
import { idFor } from '../ids.ts';
import { type Entry, entriesOf } from './ledger.ts';
import type { Deal } from './plan.ts';
import { type Amounts, payoutSettled, payoutStarted, type Sale } from './sale.ts';
import { eventsOf } from './story.ts';

export interface SalesRows {
  sales: Insertable<DB['property_sales']>[];
  fees: Insertable<DB['transaction_fees']>[];
  events: Insertable<DB['sale_events']>[];
  payouts: Insertable<DB['payouts']>[];
  refunds: Insertable<DB['refunds']>[];
  disputes: Insertable<DB['disputes']>[];
  entries: Entry[];
}

/** The most that one card or bank payment can carry; dearer houses are paid in crypto (B-081). */
const CARD_LIMIT = 999_999_99;

/** agent_commission = round(sale_price × (100 − admin_percentage) / 100), half up, in cents (B-069). */
export function sellerShare(priceCents: number, adminPercent: number): number {
  const thousandths = BigInt(100_000 - Math.round(adminPercent * 1000));
  return Number((BigInt(priceCents) * thousandths + 50_000n) / 100_000n);
}

/** Each deal as the rows a real purchase would have left behind, in the order the deals are given. */
export function sales(deals: readonly Deal[], fees: readonly Fee[], adminId: string, calendar: Calendar) {
  const ids = idFor('sale');
  const feeIds = idFor('transaction fee');
  const rows: SalesRows = {
    sales: [],
    fees: [],
    events: [],
    payouts: [],
    refunds: [],
    disputes: [],
    entries: [],
  };
  const made = deals.map((deal, index): Sale => {
    const sale: Sale = { id: ids(), deal, amounts: amountsOf(deal, fees) };
    rows.sales.push(saleRow(sale, index, calendar));
    for (const fee of fees) rows.fees.push(feeRow(sale, fee, feeIds(), calendar));
    rows.events.push(...eventsOf(sale, adminId, calendar));
    rows.entries.push(...entriesOf(sale, calendar));
    if (deal.payout && deal.payout !== 'pending') rows.payouts.push(payoutRow(sale, adminId, calendar));
    if (deal.payment === 'refunded') rows.refunds.push(refundRow(sale, adminId, calendar));
    if (deal.extra === 'disputed') rows.disputes.push(disputeRow(sale, calendar));
    return sale;
  });
  return { made, rows };
}

const adminPercent = ({ listing }: Deal): number => {
  const rate = listing.seller.row.commission_rate;
  return typeof rate === 'number' ? 100 - rate : PLATFORM_PERCENT;
};

function amountsOf(deal: Deal, fees: readonly Fee[]): Amounts {
  const price = Number(deal.listing.row.price_cents);
  const seller = sellerShare(price, adminPercent(deal));
  const feeSum = fees.reduce((sum, fee) => sum + feeCents(price, fee), 0);
  return { price, fees: feeSum, seller, platform: price - seller };
}

const short = (id: string) => id.slice(0, 8);

function saleRow(
  { id, deal, amounts }: Sale,
  index: number,
  calendar: Calendar,
): Insertable<DB['property_sales']> {
  const { listing, buyer, payment, escrow, payout, begun, paid, ended, extra } = deal;
  const crypto = amounts.price + amounts.fees > CARD_LIMIT || index % 5 === 3;
  const locked = payment === 'pending' || payment === 'processing';
  const date = (days: number | null) => (days === null ? null : calendar.ago(days));
  return {
    id,
    property_id: listing.id,
    buyer_id: buyer.id,
    agent_id: listing.seller.id,
    sale_price_cents: amounts.price,
    buyer_fees_cents: amounts.fees,
    admin_percentage: adminPercent(deal),
    agent_commission_cents: amounts.seller,
    payment_method: crypto ? 'crypto' : 'card',
    provider: 'sandbox',
    provider_session_id: `demo_session_${short(id)}`,
    provider_payment_id: paid === null ? null : `demo_payment_${short(id)}`,
    network: crypto ? 'sandbox' : null,
    tx_hash: crypto && paid !== null ? `0x${id.replaceAll('-', '').repeat(2)}` : null,
    stripe_payment_status: payment,
    escrow_status: escrow,
    payout_status: payout,
    payout_date: payout === 'completed' && ended !== null ? calendar.ago(payoutSettled(ended)) : null,
    sale_date: date(paid),
    locked_until: locked ? calendar.ahead(payment === 'pending' ? 1 : 5) : null,
    release_due_at: escrow === 'in_escrow' && paid !== null ? calendar.ahead(30 - paid) : null,
    documents_delivered_at: extra === 'delivered' && paid !== null ? calendar.ago(paid / 2) : null,
    cancellation_requested_at:
      extra === 'cancellation requested' && paid !== null ? calendar.ago(paid / 3) : null,
    frozen_at: extra === 'disputed' && paid !== null ? calendar.ago(paid / 4) : null,
    failure_reason: deal.failure ?? null,
    idempotency_key: `demo-${short(id)}`,
    created_at: calendar.ago(begun),
    updated_at: calendar.ago(ended ?? paid ?? begun),
  };
}

function feeRow(sale: Sale, fee: Fee, id: string, calendar: Calendar): Insertable<DB['transaction_fees']> {
  return {
    id,
    sale_id: sale.id,
    service_fee_id: fee.id,
    name: fee.name,
    fee_type: fee.percent === null ? 'fixed' : 'percentage',
    percent: fee.percent,
    applies_to: 'buyer',
    amount_applied_cents: feeCents(sale.amounts.price, fee),
    created_at: calendar.ago(sale.deal.begun),
  };
}

function payoutRow(
  { id, deal, amounts }: Sale,
  adminId: string,
  calendar: Calendar,
): Insertable<DB['payouts']> {
  const { row } = deal.listing.seller;
  const method = row.preferred_payout_method ?? 'manual';
  const ended = deal.ended ?? 2;
  const settled = deal.payout === 'completed' || deal.payout === 'failed';
  return {
    sale_id: id,
    agent_id: deal.listing.seller.id,
    amount_cents: amounts.seller,
    method,
    destination: (method === 'stripe' ? row.stripe_account_id : row.paypal_email) ?? 'bank transfer',
    provider_ref: `demo_payout_${short(id)}`,
    status: deal.payout === 'failed' || deal.payout === 'completed' ? deal.payout : 'processing',
    idempotency_key: `payout:${id}`,
    failure_reason: deal.payout === 'failed' ? 'The receiving account is closed.' : null,
    started_by: adminId,
    created_at: calendar.ago(payoutStarted(ended)),
    settled_at: settled ? calendar.ago(payoutSettled(ended)) : null,
  };
}

function refundRow(
  { id, deal, amounts }: Sale,
  adminId: string,
  calendar: Calendar,
): Insertable<DB['refunds']> {
  const ended = deal.ended ?? 1;
  return {
    sale_id: id,
    amount_cents: amounts.price + amounts.fees,
    reason: deal.failure ?? 'Cancelled by agreement.',
    provider_ref: `demo_refund_${short(id)}`,
    status: 'succeeded',
    idempotency_key: `refund:${id}`,
    requested_by: adminId,
    created_at: calendar.ago(ended + 0.2),
    settled_at: calendar.ago(ended),
  };
}

function disputeRow({ id, deal }: Sale, calendar: Calendar): Insertable<DB['disputes']> {
  const opened = (deal.paid ?? 1) / 4;
  return {
    sale_id: id,
    opened_by: deal.buyer.id,
    provider_ref: `demo_dispute_${short(id)}`,
    reason: 'The buyer says the roof was not repaired as agreed.',
    status: 'open',
    evidence_due_at: calendar.ahead(14),
    created_at: calendar.ago(opened),
  };
}
