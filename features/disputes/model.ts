/**
 * Why a decision about a dispute is refused: `decided`: the bank has decided it; `not_answerable`: no evidence is accepted, or
 * not any more; `answered`: it has been answered or conceded already; `no_reason`: it needs one.
 */
export type DisputeRefusal = 'decided' | 'not_answerable' | 'answered' | 'no_reason';

export type DisputeResult = { ok: true } | { ok: false; reason: DisputeRefusal };

/** What we know about a disputed sale. Amounts are integer cents. */
export interface DisputedSale {
  buyer: { name: string; email: string /** from which the purchase was begun */; ip: string | null };
  property: { address: string; town: string };
  seller: { name: string };
  /** null before the payment arrived */
  paidAt: Date | null;
  documentsDeliveredAt: Date | null;
  releasedAt: Date | null;
  receiptNumber: string | null;
  paymentRef: string | null;
  basePriceCents: number;
  fees: { label: string; cents: number }[];
  totalCents: number;
  refunds: { cents: number; at: Date }[];
  /** oldest first */
  history: { at: Date; label: string; by: string; note: string | null }[];
  /** what the parties wrote to each other since the purchase was begun, oldest first */
  messages: { at: Date; by: string; text: string }[];
}
