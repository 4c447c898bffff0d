import type { Insertable } from 'kysely';
import { paths } from '#app/paths.ts';
import type { Fee } from '#features/fees/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import { RELEASE_DAYS } from '#features/purchases/model.ts';
import type { Rail } from '#gateways/payments/port.ts';
import { NETWORK } from '#gateways/payments/sandbox/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { PLATFORM_PERCENT } from '../fees.ts';
import { idFor } from '../ids.ts';
import { type Entry, entriesOf } from './ledger.ts';
import type { Deal } from './plan.ts';
import { checkoutRow, refundAtProvider, refundKey } from './provider.ts';
import {
  type Amounts,
  cancelledBy,
  deliveredAgo,
  payoutSettled,
  payoutStarted,
  providerFee,
  providerNames,
  type Sale,
} from './sale.ts';
import { eventsOf } from './story.ts';

export interface SalesRows {
  sales: Insertable<DB['property_sales']>[];
  fees: Insertable<DB['transaction_fees']>[];
  events: Insertable<DB['sale_events']>[];
  payouts: Insertable<DB['payouts']>[];
  refunds: Insertable<DB['refunds']>[];
  disputes: Insertable<DB['disputes']>[];
  /** the provider's side */
  checkouts: Insertable<DB['sandbox_checkouts']>[];
  refundsAtProvider: Insertable<DB['sandbox_refunds']>[];
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
    checkouts: [],
    refundsAtProvider: [],
    entries: [],
  };
  const numbers = receiptNumbers(deals);
  const made = deals.map((deal, index): Sale => {
    const amounts = amountsOf(deal, fees);
    const rail = railOf(deal, amounts, index);
    const sale: Sale = { id: ids(), deal, amounts, rail, receiptNumber: numbers.get(deal) ?? null };
    rows.sales.push(saleRow(sale, calendar));
    rows.checkouts.push(checkoutRow(sale, fees, calendar));
    for (const fee of fees) rows.fees.push(feeRow(sale, fee, feeIds(), calendar));
    rows.events.push(...eventsOf(sale, adminId, calendar));
    rows.entries.push(...entriesOf(sale, calendar));
    if (deal.payout && deal.payout !== 'pending') rows.payouts.push(payoutRow(sale, adminId, calendar));
    if (deal.payment === 'refunded') {
      rows.refunds.push(refundRow(sale, adminId, calendar));
      rows.refundsAtProvider.push(refundAtProvider(sale, calendar));
    }
    if (deal.extra === 'disputed') rows.disputes.push(disputeRow(sale, calendar));
    return sale;
  });
  return { made, rows };
}

/** Receipts are numbered as the money comes. */
const receiptNumbers = (deals: readonly Deal[]) =>
  new Map(
    deals
      .filter(({ paid }) => paid !== null)
      .toSorted((one, other) => (other.paid ?? 0) - (one.paid ?? 0))
      .map((deal, index) => [deal, index + 1]),
  );

/** Banks take payments back, chains do not: what is disputed was paid by card. */
const railOf = (deal: Deal, { price, fees }: Amounts, index: number): Rail =>
  price + fees > CARD_LIMIT || (index % 5 === 3 && deal.extra !== 'disputed') ? 'crypto' : 'card';

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

function saleRow(sale: Sale, calendar: Calendar): Insertable<DB['property_sales']> {
  const { id, deal, amounts, rail } = sale;
  const { listing, buyer, payment, escrow, payout, begun, paid, ended, extra } = deal;
  const names = providerNames(sale);
  const locked = payment === 'pending' || payment === 'processing';
  const date = (days: number | null) => (days === null ? null : calendar.ago(days));
  const delivered = deliveredAgo(deal);
  const asked = extra === 'cancellation requested' && paid !== null;
  return {
    id,
    property_id: listing.id,
    buyer_id: buyer.id,
    agent_id: listing.seller.id,
    sale_price_cents: amounts.price,
    buyer_fees_cents: amounts.fees,
    admin_percentage: adminPercent(deal),
    agent_commission_cents: amounts.seller,
    payment_method: rail,
    provider: `sandbox-${rail}`,
    provider_session_id: names.checkout,
    provider_payment_id: names.payment,
    provider_fee_cents: providerFee(sale),
    checkout_url: payment === 'pending' ? paths.sandboxCheckout(names.checkout) : null,
    network: names.transaction ? NETWORK : null,
    tx_hash: names.transaction,
    stripe_payment_status: payment,
    escrow_status: escrow,
    payout_status: payout,
    payout_date: payout === 'completed' && ended !== null ? calendar.ago(payoutSettled(ended)) : null,
    sale_date: date(paid),
    receipt_number: sale.receiptNumber,
    payment_receipt_url: paid === null ? null : paths.receipt(id),
    locked_until: locked ? calendar.ahead(payment === 'pending' ? 2 : 5) : null,
    release_due_at: delivered === null ? null : calendar.ahead(RELEASE_DAYS - delivered),
    documents_delivered_at: date(delivered),
    cancellation_requested_at: asked ? calendar.ago((paid ?? 0) / 3) : null,
    cancellation_requested_by: asked ? 'buyer' : null,
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

function refundRow(sale: Sale, adminId: string, calendar: Calendar): Insertable<DB['refunds']> {
  const { id, deal, amounts } = sale;
  const ended = deal.ended ?? 1;
  return {
    sale_id: id,
    amount_cents: amounts.price + amounts.fees,
    reason: deal.failure ?? 'Cancelled by agreement.',
    provider_ref: providerNames(sale).refund,
    status: 'succeeded',
    idempotency_key: refundKey(sale),
    requested_by: cancelledBy(deal) === 'admin' ? adminId : (deal.listing.seller.person?.id ?? null),
    created_at: calendar.ago(ended + 0.2),
    settled_at: calendar.ago(ended),
  };
}

/** What the buyer's bank has opened; the provider knows the same. */
function disputeRow(sale: Sale, calendar: Calendar): Insertable<DB['disputes']> {
  return {
    sale_id: sale.id,
    provider_ref: providerNames(sale).dispute,
    reason: 'fraudulent',
    status: 'open',
    evidence_due_at: calendar.ahead(14),
    created_at: calendar.ago((sale.deal.paid ?? 1) / 4),
  };
}
