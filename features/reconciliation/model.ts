/** How the books and the world can differ. */
export type BreakKind =
  | 'payment_mismatch'
  | 'unexpected_refund'
  | 'paid_back_twice'
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
  | 'payout_returned'
  | 'transfer_reversed'
  | 'unknown_transaction'
  | 'transaction_restated'
  | 'balance_difference';

/** How a break ended. */
export type BreakResolution =
  | 'accepted'
  | 'returned'
  | 'dismissed'
  | 'recognised'
  /** the books and the provider agreed in the end, without a decision */
  | 'matched'
  | 'linked'
  | 'posted'
  | 'refunded'
  | 'written_off'
  /** seen, with nothing left to post */
  | 'acknowledged'
  | 'treasury';

/** A difference between the books and what a provider says, or a fact about money that the sale could not follow. */
export interface OpenBreakInput {
  kind: BreakKind;
  /** what it is about, such as the provider's reference: while one is open, the same break is not opened twice */
  subject: string;
  saleId?: string | null;
  providerAccountId?: string | null;
  /** by our books, in cents: a balance, or a change of our balance with the provider, negative for money that leaves */
  expectedCents?: number | null;
  /** the same in fact */
  actualCents?: number | null;
  /** for administrators, in a sentence */
  detail: string;
  evidence?: Record<string, unknown>;
  /** what the provider booked, if anything */
  transactionId?: string | null;
  /** the postings on clearing that it is about */
  postingIds?: readonly number[];
}

/** Why an administrator's decision about a break was not carried out. */
export type BreakRefusal =
  | 'resolved'
  | 'awaiting_approval'
  | 'refund_running'
  /** the operations of its sale end it */
  | 'elsewhere'
  | 'no_reason'
  | 'nothing_fits'
  | 'wrong_account'
  | 'nothing_in_suspense'
  | 'not_refundable'
  | 'not_awaiting'
  | 'same_administrator'
  | 'amount_changed'
  | 'amounts_differ'
  | 'no_transaction'
  /** the books and a provider differ, or the operations of its sale end it */
  | 'not_acknowledged'
  | 'held_in_suspense';

export type BreakActionResult =
  | { ok: true; awaitingApproval?: boolean }
  | { ok: false; reason: BreakRefusal };
