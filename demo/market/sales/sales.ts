import type { Insertable } from 'kysely';
import type { Fee } from '#features/fees/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import { RELEASE_DAYS } from '#features/sales/model.ts';
import { settingDefaults } from '#features/settings/model.ts';
import { type PaymentMethod, paymentMethods } from '#gateways/payments/port.ts';
import { NETWORK } from '#gateways/payments/sandbox/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import type { Calendar } from '../calendar.ts';
import { PLATFORM_PERCENT } from '../fees.ts';
import { idGenerator } from '../ids.ts';
import { type LedgerEntry, ledgerEntriesOf } from './ledger.ts';
import {
  type Amounts,
  cancelledBy,
  type DemoRefund,
  documentsDeliveredDaysAgo,
  paidBy,
  payoutReturned,
  payoutSettled,
  payoutStarted,
  providerAccountIds,
  providerFee,
  providerReferences,
  refundOf,
  type Sale,
} from './sale.ts';
import { saleEventsOf } from './sale-events.ts';
import type { SalePlan } from './sale-plan.ts';
import {
  checkoutRow,
  disputeAtProvider,
  refundAtProvider,
  refundKey,
  transactionsAtProvider,
} from './sandbox-provider.ts';

export interface SalesRows {
  accounts: Insertable<DB['provider_accounts']>[];
  sales: Insertable<DB['property_sales']>[];
  fees: Insertable<DB['transaction_fees']>[];
  events: Insertable<DB['sale_events']>[];
  payouts: Insertable<DB['payouts']>[];
  refunds: Insertable<DB['refunds']>[];
  disputes: Insertable<DB['disputes']>[];
  /** the sandbox provider's own records */
  checkouts: Insertable<DB['sandbox_checkouts']>[];
  refundsAtProvider: Insertable<DB['sandbox_refunds']>[];
  disputesAtProvider: Insertable<DB['sandbox_disputes']>[];
  transactionsAtProvider: Insertable<DB['sandbox_transactions']>[];
  entries: LedgerEntry[];
}

/** The maximum card or bank payment in cents; more expensive properties are paid in crypto. */
const CARD_LIMIT = 999_999_99;

/** The seller's share in cents: sale price × (100 − admin percentage) / 100, rounded half up. */
export function sellerShare(priceCents: number, adminPercent: number): number {
  const thousandths = BigInt(100_000 - Math.round(adminPercent * 1000));
  return Number((BigInt(priceCents) * thousandths + 50_000n) / 100_000n);
}

/** The ids of two administrators; the second has entered what waits for the first to confirm. */
interface Administrators {
  first: string;
  second: string;
}

/** The rows that real purchases would have left behind, in the order of the planned sales. */
export function sales(
  plans: readonly SalePlan[],
  fees: readonly Fee[],
  admins: Administrators,
  calendar: Calendar,
) {
  const ids = idGenerator('sale');
  const feeIds = idGenerator('transaction fee');
  const rows: SalesRows = {
    accounts: providerAccounts(),
    sales: [],
    fees: [],
    events: [],
    payouts: [],
    refunds: [],
    disputes: [],
    checkouts: [],
    refundsAtProvider: [],
    disputesAtProvider: [],
    transactionsAtProvider: [],
    entries: [],
  };
  const numbers = receiptNumbers(plans);
  const made = plans.map((plan, index): Sale => {
    const amounts = amountsOf(plan, fees);
    const paymentMethod = paymentMethodOf(plan, amounts, index);
    const sale: Sale = { id: ids(), plan, amounts, paymentMethod, receiptNumber: numbers.get(plan) ?? null };
    rows.sales.push(saleRow(sale, calendar));
    rows.checkouts.push(checkoutRow(sale, fees, calendar));
    for (const [position, fee] of fees.entries())
      rows.fees.push({ ...feeRow(sale, fee, feeIds(), calendar), position });
    rows.events.push(...saleEventsOf(sale, admins.first, calendar));
    rows.entries.push(...ledgerEntriesOf(sale, calendar));
    if (plan.payout && plan.payout !== 'pending') rows.payouts.push(payoutRow(sale, admins, calendar));
    const refund = refundOf(sale);
    if (refund) {
      rows.refunds.push(refundRow(sale, refund, admins.first, calendar));
      rows.refundsAtProvider.push(refundAtProvider(sale, refund, calendar));
    }
    if (plan.extra === 'disputed') {
      rows.disputes.push(disputeRow(sale, calendar));
      rows.disputesAtProvider.push(disputeAtProvider(sale, calendar));
    }
    rows.transactionsAtProvider.push(...transactionsAtProvider(sale, calendar));
    return sale;
  });
  return { made, rows };
}

/** The sandbox names its account when it is asked for the first time. */
const providerAccounts = () =>
  paymentMethods.map((method) => ({
    id: providerAccountIds[method],
    provider: `sandbox-${method}`,
    livemode: false,
  }));

/** Receipts are numbered in the order of payment. */
const receiptNumbers = (plans: readonly SalePlan[]) =>
  new Map(
    plans
      .filter(({ paid }) => paid !== null)
      .toSorted((one, other) => (other.paid ?? 0) - (one.paid ?? 0))
      .map((plan, index) => [plan, index + 1]),
  );

/** Only card payments can be disputed, so a disputed sale was paid by card. */
const paymentMethodOf = (plan: SalePlan, { price, fees }: Amounts, index: number): PaymentMethod =>
  price + fees > CARD_LIMIT || (index % 5 === 3 && plan.extra !== 'disputed') ? 'crypto' : 'card';

const adminPercent = ({ listing }: SalePlan): number => {
  const rate = listing.seller.row.commission_rate;
  return typeof rate === 'number' ? 100 - rate : PLATFORM_PERCENT;
};

function amountsOf(plan: SalePlan, fees: readonly Fee[]): Amounts {
  const price = Number(plan.listing.row.price_cents);
  const seller = sellerShare(price, adminPercent(plan));
  const feeSum = fees.reduce((sum, fee) => sum + feeCents(price, fee), 0);
  return { price, fees: feeSum, seller, platform: price - seller };
}

function saleRow(sale: Sale, calendar: Calendar): Insertable<DB['property_sales']> {
  const { id, plan, amounts, paymentMethod } = sale;
  const { listing, buyer, payment, escrow, payout, begun, paid, ended, extra } = plan;
  const references = providerReferences(sale);
  const refund = refundOf(sale);
  const locked = payment === 'pending' || payment === 'processing';
  const date = (days: number | null) => (days === null ? null : calendar.ago(days));
  const delivered = documentsDeliveredDaysAgo(plan);
  const dueInDays = paid === null ? null : settingDefaults.documents_due_days - paid;
  // Nobody is overdue, or to be reminded, when the market is loaded.
  const documentsDue = dueInDays === null || escrow !== 'in_escrow' ? dueInDays : Math.max(4, dueInDays);
  const cancellationRequested = extra === 'cancellation requested' && paid !== null;
  return {
    id,
    property_id: listing.id,
    buyer_id: buyer.id,
    agent_id: listing.seller.id,
    sale_price_cents: amounts.price,
    buyer_fees_cents: amounts.fees,
    admin_percentage: adminPercent(plan),
    agent_commission_cents: amounts.seller,
    payment_method: paymentMethod,
    provider: `sandbox-${paymentMethod}`,
    provider_account_id: providerAccountIds[paymentMethod],
    returned_base_cents: refund?.baseCents ?? 0,
    returned_fees_cents: refund?.feesCents ?? 0,
    provider_session_id: references.checkout,
    provider_payment_id: references.payment,
    provider_fee_cents: providerFee(sale),
    checkout_url: payment === 'pending' ? purchasePaths.sandboxCheckout(references.checkout) : null,
    network: references.transaction ? NETWORK : null,
    tx_hash: references.transaction,
    stripe_payment_status: payment,
    escrow_status: escrow,
    payout_status: payout,
    payout_date: payout === 'completed' && ended !== null ? calendar.ago(payoutSettled(ended)) : null,
    sale_date: date(paid),
    receipt_number: sale.receiptNumber,
    payment_receipt_url: paid === null ? null : purchasePaths.receipt(id),
    locked_until: locked ? calendar.ahead(payment === 'pending' ? 2 : 5) : null,
    release_due_at: delivered === null ? null : calendar.ahead(RELEASE_DAYS - delivered),
    documents_delivered_at: date(delivered),
    documents_due_at: documentsDue === null ? null : calendar.ahead(documentsDue),
    documents_check_at:
      documentsDue !== null && delivered === null && escrow === 'in_escrow'
        ? calendar.ahead(documentsDue - 3)
        : null,
    paid_with: paid === null ? null : paidBy(sale),
    released_at: escrow === 'completed' ? date(ended) : null,
    cancellation_requested_at: cancellationRequested ? calendar.ago((paid ?? 0) / 3) : null,
    cancellation_requested_by: cancellationRequested ? 'buyer' : null,
    frozen_at: extra === 'disputed' && paid !== null ? calendar.ago(paid / 4) : null,
    failure_reason: plan.failure ?? null,
    idempotency_key: `demo-${id.slice(0, 8)}`,
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
    created_at: calendar.ago(sale.plan.begun),
  };
}

function payoutRow(sale: Sale, admins: Administrators, calendar: Calendar): Insertable<DB['payouts']> {
  const { id, plan, amounts } = sale;
  const { row } = plan.listing.seller;
  const chosen = row.preferred_payout_method ?? 'manual';
  const byHand = plan.payout === 'processing';
  const ended = plan.ended ?? 2;
  const started = calendar.ago(payoutStarted(ended));
  const settled = plan.payout === 'completed' || plan.payout === 'failed';
  return {
    sale_id: id,
    agent_id: plan.listing.seller.id,
    amount_cents: amounts.seller,
    method: byHand ? 'manual' : chosen,
    destination: (chosen === 'stripe' ? row.stripe_account_id : row.paypal_email) ?? 'bank transfer',
    provider_ref: providerReferences(sale).payout,
    status: plan.payout === 'failed' || plan.payout === 'completed' ? plan.payout : 'processing',
    idempotency_key: `payout:${id}:1`,
    paid_cents: plan.payout === 'completed' || plan.returned ? amounts.seller : 0,
    returned_cents: plan.returned ? amounts.seller : 0,
    failure: plan.returned ? 'returned' : plan.payout === 'failed' ? 'account_inactive' : null,
    failure_reason: plan.returned
      ? 'The bank returned it.'
      : plan.payout === 'failed'
        ? 'The receiving account is closed.'
        : null,
    ...(byHand && {
      bank_reference: `WIRE ${id.slice(0, 8).toUpperCase()}`,
      recorded_by: admins.second,
      recorded_at: started,
    }),
    started_by: admins.first,
    created_at: started,
    settled_at: settled ? calendar.ago(plan.returned ? payoutReturned(ended) : payoutSettled(ended)) : null,
  };
}

function refundRow(
  sale: Sale,
  { baseCents, feesCents, reason, requested, settled }: DemoRefund,
  adminId: string,
  calendar: Calendar,
): Insertable<DB['refunds']> {
  const { id, plan } = sale;
  const byAdmin = plan.extra === 'refunded in part' || cancelledBy(plan) === 'admin';
  return {
    sale_id: id,
    amount_cents: baseCents + feesCents,
    base_cents: baseCents,
    fees_cents: feesCents,
    reason,
    provider_ref: providerReferences(sale).refund,
    status: 'succeeded',
    idempotency_key: refundKey(sale),
    requested_by: byAdmin ? adminId : (plan.listing.seller.person?.id ?? null),
    created_at: calendar.ago(requested),
    settled_at: calendar.ago(settled),
  };
}

/** A dispute opened by the buyer's bank, matching the provider's record. */
function disputeRow(sale: Sale, calendar: Calendar): Insertable<DB['disputes']> {
  return {
    sale_id: sale.id,
    provider_ref: providerReferences(sale).dispute,
    kind: 'chargeback',
    amount_cents: sale.amounts.price + sale.amounts.fees,
    withdrawn_cents: sale.amounts.price + sale.amounts.fees,
    reason: 'fraudulent',
    status: 'open',
    evidence_due_at: calendar.ahead(14),
    created_at: calendar.ago((sale.plan.paid ?? 1) / 4),
  };
}
