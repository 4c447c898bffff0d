/** The accounts of the ledger. Debits are positive cents, credits negative. */
export type Account =
  | 'clearing'
  | 'processing_cost'
  | 'escrow_held'
  | 'fees_held'
  | 'suspense'
  | 'seller_payable'
  | 'seller_receivable'
  | 'seller_offsets'
  | 'payout_in_transit'
  | 'platform_revenue'
  | 'fee_revenue'
  | 'disputed'
  | 'dispute_fees'
  | 'chargeback_loss'
  | 'write_offs'
  | 'bank'
  | 'treasury_in_transit';

/**
 * What an entry records: L1 payment, L2 release, L3 payout, L4 refund, L5 dispute, L6 money that is not assigned yet,
 * L7 what sellers owe, L8 transfers to our bank and between our own accounts, L9 corrections.
 */
export type EntryKind = 'L1' | 'L2' | 'L3' | 'L4' | 'L5' | 'L6' | 'L7' | 'L8' | 'L9';

/** Integer cents, never zero: debits are positive, credits negative. */
export interface Posting {
  account: Account;
  cents: number;
}

/** The amounts of a sale that its postings are computed from; integer cents. */
export interface SaleAmounts {
  /** the asking price */
  basePriceCents: number;
  /** what the buyer pays on top */
  buyerFeesCents: number;
  /** the seller's share of the base price */
  agentCommissionCents: number;
  /** what is deducted from the seller's share */
  sellerFeesCents: number;
}

/** An inconsistency in the ledger, with the sale or entry it was found in. */
export interface Finding {
  check: string;
  subject: string;
  detail: string;
}

/**
 * The SQL condition under which a sale holds its property; a unique index allows one such sale a property. It stands here
 * because both the checks of the ledger and the checkout ask it.
 */
export const LIVE_SALE = `escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded')
  and property_gone_at is null`;

/** Something that must hold, as a query for violations: `subject` and `detail`. */
export interface Invariant {
  check: string;
  query: string;
}
