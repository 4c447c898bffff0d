import type { DisputeView } from '#features/disputes/views.ts';
import type { SaleDocument } from '#features/documents/model.ts';
import type { Parts } from '#features/ledger/allocation.ts';
import type { SaleBalances } from '#features/ledger/balances.ts';
import type { ListingPicture } from '#features/listings/model.ts';
import type { ProviderMessagePage } from '#features/payments/messages.ts';
import type { PayoutDecision } from '#features/payouts/payout-decision.ts';
import type { BreakLine } from '#features/reconciliation/views.ts';
import type { ComingStep, NextStep, SaleContact, SaleLine, SaleState } from '#features/sales/model.ts';
import type { ActionRefusal, AdminAction, StuckRefund } from './admin-actions.ts';
import type { PaidBy } from './model.ts';

/** One step of the timeline; times are ISO, UTC. */
export interface TimelineStep {
  id: number;
  event: string;
  /** who did it, by name where it was a person */
  who: string;
  note: string | null;
  at: string;
}

/** An attempt to pay the seller. Integer cents; times are ISO, UTC. */
export interface SalePayout {
  id: string;
  method: string;
  status: string;
  amountCents: number;
  reference: string | null;
  failure: string | null;
  startedAt: string;
  settledAt: string | null;
}

/** A refund on record. Integer cents; times are ISO, UTC. */
export interface SaleRefund {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  reason: string;
  origin: 'platform' | 'provider' | 'bank';
  /** an administrator withdrew it before it had left */
  withdrawn: boolean;
  /** what the transfer from our bank account is called; null for one that is sent by the provider */
  reference: string | null;
  /** what our bank said when such a transfer came back */
  cameBack: string | null;
  by: string | null;
  at: string;
  settledAt: string | null;
}

/** A sale with everything that administrators see of it and can do with it. Integer cents; times are ISO, UTC. */
export interface SaleDetails {
  id: string;
  /** null before the payment */
  receipt: string | null;
  property: { id: string; address: string; town: string; type: string; picture: ListingPicture | null };
  buyer: SaleContact & { id: string };
  seller: SaleContact & { id: string };
  state: SaleState;
  frozen: boolean;
  testMode: boolean;
  provider: string;
  paidBy: PaidBy;
  /** what was agreed on */
  priceCents: number;
  buyerFees: SaleLine[];
  sellerFees: SaleLine[];
  totalCents: number;
  /** a payment became the price; otherwise one was only received, if at all, and is sent back */
  isAccepted: boolean;
  /** what has been paid of it, less than all of it when a payment was accepted although it was too small; else what was received */
  paidCents: number;
  commissionCents: number;
  /** the seller's share of the price, in percent */
  commissionPercent: number;
  adminFeeCents: number;
  /** what of it has gone back to the buyer */
  refundedCents: number;
  /** of all that was received, which may differ from the price: what has not gone back, and what has */
  leftCents: number;
  sentBackCents: number;
  /** what was written off for a payment that was too small, and is not needed any more since the payment has gone back */
  writeOffReversedCents: number;
  /** what has arrived of a payment in parts; null for one in one piece */
  receivedCents: number | null;
  /** where its money stands in the books */
  books: SaleBalances;
  /** why its payment failed, or the latest attempt to pay the seller */
  failureReason: string | null;
  timeline: TimelineStep[];
  next: NextStep | null;
  coming: ComingStep[];
  messages: ProviderMessagePage;
  payouts: SalePayout[];
  /** whether its seller can be paid now; null before the release, and when nothing is open */
  payable: PayoutDecision | null;
  /** of the sale, oldest first */
  documents: SaleDocument[];
  refunds: SaleRefund[];
  disputes: DisputeView[];
  /** what a party has reported and nobody has settled */
  problem: { by: 'buyer' | 'seller'; text: string; at: string } | null;
  cancellationAskedBy: 'buyer' | 'seller' | 'admin' | null;
  breaks: BreakLine[];
  /** what an administrator may write off without another one */
  approvalAboveCents: number;
  /** the viewer's own purchase, about which another administrator decides */
  own: boolean;
  actions: { action: AdminAction; refusal: ActionRefusal | null }[];
  stuckRefund: StuckRefund | null;
  refundable: Parts;
  /** the same for all who order a refund of what they see now, so that it is made once */
  refundKey: string;
}
