/** The accounts of the ledger. Debits are positive cents, credits negative. */
export type Account =
  | 'provider_clearing'
  | 'processing_cost'
  | 'escrow_held'
  | 'fees_held'
  | 'seller_payable'
  | 'payout_in_transit'
  | 'platform_revenue'
  | 'fee_revenue'
  | 'disputed';

/** What an entry records: L1 paid, L2 released, L3 payout, L4 refund, L5 dispute (B4-T). */
export type EntryKind = 'L1' | 'L2' | 'L3' | 'L4' | 'L5';

/** Integer cents, never zero: a debit above, a credit below. */
export interface Posting {
  account: Account;
  cents: number;
}

/** What of a sale the postings are made of; integer cents. */
export interface SaleAmounts {
  /** B: what the seller asks */
  basePriceCents: number;
  /** F: what the buyer pays on top */
  buyerFeesCents: number;
  /** A: the seller's share of the base price */
  agentCommissionCents: number;
  /** X: what is taken off the seller's share */
  sellerFeesCents: number;
}

/** One thing that is wrong with the books, with the sale or entry it was found at. */
export interface Finding {
  check: string;
  subject: string;
  detail: string;
}
