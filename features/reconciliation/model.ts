/** How the books and the world can differ. */
export type BreakKind = 'payment_mismatch' | 'unexpected_refund' | 'paid_back_twice' | 'refused_move';

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
