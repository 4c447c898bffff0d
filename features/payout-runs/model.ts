import type { PayoutMethod } from '#features/payouts/model.ts';
import type { BoundedCount } from '#platform/counts.ts';

/** What keeps a payout from the list of those that can be made now, until it is over. */
export type HeldReason =
  | 'not_released'
  | 'frozen'
  | 'disputed'
  | 'refund_running'
  | 'suspended'
  | 'risk_hold'
  | 'cooling_down';

/** What the seller has to do before a payout can be made. */
export type Obstacle =
  | 'no_method'
  | 'no_stripe_account'
  | 'account_inactive'
  | 'no_paypal_email'
  | 'paypal_unconfirmed';

/** `manual`: by hand, because no provider is configured for the method that the seller chose, or the seller is archived. */
export type RunMethod = PayoutMethod | 'manual';

/**
 * What an account that sellers are paid out of can pay, as its provider said when it was last asked. Integer cents; the time is ISO
 * 8601, UTC.
 */
export interface TreasuryLine {
  provider: string;
  livemode: boolean;
  /** null while the provider was never asked */
  position: {
    availableCents: number;
    pendingCents: number;
    /** belongs to sales that were paid into the account */
    heldCents: number;
    /** due to sellers within a day for sales that were paid elsewhere */
    dueCents: number;
    missingCents: number;
    askedAt: string;
  } | null;
}

/** Integer cents. Times are ISO 8601, UTC. */
interface PayoutOfSale {
  saleId: string;
  seller: { id: string; name: string };
  address: string;
  salePriceCents: number;
  /** what the seller is owed for the sale */
  amountCents: number;
  method: RunMethod | null;
  /** paid with test keys on a server that takes real payments */
  testMode: boolean;
  createdAt: string;
}

/** A payout that can be made now. */
export interface PendingPayout extends PayoutOfSale {
  /** why it would be refused; null when nothing stands in its way */
  obstacle: Obstacle | null;
  /** it is in a run that waits or works */
  inRun: boolean;
}

/** A paid sale whose seller cannot be paid yet. */
export interface NotYetPayable extends PayoutOfSale {
  reason: 'in_escrow' | HeldReason;
  /** when the escrow is released or the hold ends; null when no date is set */
  until: string | null;
}

/** A payout that did not arrive. */
export interface FailedPayout extends PayoutOfSale {
  failure: string | null;
  failedAt: string | null;
}

/** A payout that is made by hand, from our bank. */
export interface ManualPayout {
  payoutId: string;
  saleId: string;
  seller: { id: string; name: string };
  address: string;
  amountCents: number;
  /** paid with test keys on a server that takes real payments */
  testMode: boolean;
  /** what the bank calls it, once that was entered */
  reference: string | null;
  /** who entered it, and so cannot confirm it */
  recordedBy: { id: string; name: string } | null;
  startedAt: string;
  /** why it should not be made now, while nobody says that it was; null when nothing speaks against it */
  withheld: 'frozen' | 'disputed' | 'refund_running' | 'suspended' | 'owes' | null;
  /** when a second administrator confirmed it; null until then */
  confirmedAt: string | null;
}

/** A page of pending payouts. */
export interface PendingPage extends Page<PendingPayout> {
  /** those that are in no run; others cannot be selected */
  selectable: BoundedCount;
}

export interface Page<Row> {
  rows: Row[];
  total: BoundedCount;
  page: number;
  pages: number;
}

export const pendingSorts = ['seller', 'property', 'price', 'commission', 'date'] as const;
export type PendingSort = (typeof pendingSorts)[number];

/** One line of the ledger in the dialog 'Confirm Payouts'. */
export interface PlannedPayout {
  saleId: string;
  seller: { id: string; name: string };
  address: string;
  /** null: nothing is sent, the sale is settled without */
  method: RunMethod | null;
  /** what is sent: what the seller is owed, less what the seller owes */
  amountCents: number;
  /** kept back because the seller owes it; 0 when nothing is */
  withheldCents: number;
}

/** A selected sale that is not paid, and why. */
export interface NotPlanned {
  saleId: string;
  seller: { id: string; name: string };
  address: string;
  amountCents: number;
  reason: HeldReason | Obstacle | 'already_processing' | 'not_open' | 'wrong_mode' | 'in_run';
  /** ISO 8601, UTC */
  until: string | null;
}

/** What would be paid of a selection. */
export interface RunPlan {
  payouts: PlannedPayout[];
  refused: NotPlanned[];
  totalCents: number;
  /** the total has to be typed */
  typed: boolean;
  /** cents above which a second administrator approves a run; null when this one needs none */
  approvalLimitCents: number | null;
  /** the administrators who may approve it, by name */
  approvers: { id: string; name: string }[];
}

export type RunStatus = 'awaiting_approval' | 'running' | 'finished' | 'declined' | 'expired';

/** How a payout of a run ended; `until` is set for holds. */
export interface RunResult {
  saleId: string;
  seller: string;
  address: string;
  amountCents: number;
  /** words */
  why: string;
}

/** A run as administrators see it. Integer cents; times are ISO 8601, UTC. */
export interface PayoutRun {
  id: string;
  origin: 'administrator' | 'schedule';
  status: RunStatus;
  count: number;
  totalCents: number;
  requestedBy: { id: string; name: string } | null;
  requestedAt: string;
  /** who was asked to approve it; null when nobody in particular was */
  asked: { id: string; name: string } | null;
  /** who may approve it while it waits, by name */
  approvers: { id: string; name: string }[];
  expiresAt: string | null;
  decidedBy: string | null;
  declineReason: string | null;
  finishedAt: string | null;
  /** payouts that were started or refused */
  done: number;
  started: number;
  refused: number;
  /** the first hundred that were refused */
  results: RunResult[];
}

/** Why a run was not requested. */
export type RunRefusal =
  | { ok: false; reason: 'nothing_payable'; refused: NotPlanned[] }
  | { ok: false; reason: 'too_many' }
  /** another run works at this moment */
  | { ok: false; reason: 'in_progress' }
  /** what is to be paid is no longer what was shown */
  | { ok: false; reason: 'changed'; plan: RunPlan }
  | { ok: false; reason: 'typed_total'; plan: RunPlan }
  /** nobody was asked, or somebody who may not approve it */
  | { ok: false; reason: 'approver'; plan: RunPlan };

export type RequestRunResult =
  | { ok: true; runId: string; created: boolean; status: 'running'; count: number }
  | {
      ok: true;
      runId: string;
      created: boolean;
      status: 'awaiting_approval';
      count: number;
      approvers: string[];
    }
  | RunRefusal;

export type DecideRunResult =
  | { ok: true }
  /** somebody has decided already, or it has expired */
  | { ok: false; reason: 'not_waiting' }
  /** nobody decides about a run of their own */
  | { ok: false; reason: 'own_run' }
  | { ok: false; reason: 'no_reason' };
