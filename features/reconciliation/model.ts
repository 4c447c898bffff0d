export type BreakKind =
  | 'missing_message'
  | 'wrong_amount'
  | 'outside_refund'
  | 'dispute'
  | 'duplicate_charge'
  | 'orphan_charge'
  | 'fee_drift'
  | 'mode_mix'
  | 'unknown_currency'
  | 'missing_at_provider'
  | 'unknown_transaction';
