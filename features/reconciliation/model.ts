/** How the books and the world can differ. */
export type BreakKind =
  | 'payment_mismatch'
  | 'unexpected_refund'
  | 'paid_back_twice'
  | 'dispute_reversed'
  | 'refused_move'
  // Found by comparing what a provider booked with the postings on clearing:
  | 'missing_message'
  | 'wrong_amount'
  | 'dispute'
  | 'duplicate_charge'
  | 'orphan_charge'
  | 'fee_drift'
  | 'mode_mix'
  | 'unknown_currency'
  | 'missing_at_provider'
  | 'unknown_transaction'
  | 'transaction_restated'
  | 'balance_difference';

/** How a break ended. */
export type BreakResolution = 'accepted' | 'returned' | 'dismissed' | 'recognised';

/** A difference between the books and what a provider says, or a fact about money that the sale could not follow. */
export interface OpenBreakInput {
  kind: BreakKind;
  /** what it is about, such as the provider's reference: while one is open, the same break is not opened twice */
  subject: string;
  saleId?: string | null;
  providerAccountId?: string | null;
  /** by our books, in cents */
  expectedCents?: number | null;
  /** in fact, in cents */
  actualCents?: number | null;
  /** for administrators, in a sentence */
  detail: string;
  evidence?: Record<string, unknown>;
}
