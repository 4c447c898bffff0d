import type { TransactionKind } from '#gateways/payments/port.ts';
import type { BreakAction } from './break-actions.ts';
import type { Comparison } from './compare-balance.ts';
import type { BreakKind, BreakResolution } from './model.ts';
import type { ExpenseAccount } from './rules.ts';

/** A break as administrators see it in the list. Integer cents; times are ISO, UTC. */
export interface BreakLine {
  id: string;
  kind: BreakKind;
  title: string;
  state: 'open' | 'awaiting_approval' | 'resolved';
  saleId: string | null;
  provider: string | null;
  livemode: boolean | null;
  /** by our books, and in fact; null where a break is not about an amount */
  expectedCents: number | null;
  actualCents: number | null;
  detail: string;
  createdAt: string;
  resolution: BreakResolution | null;
  resolvedAt: string | null;
}

export interface BreakListInput {
  state: 'open' | 'resolved' | 'all';
  kind?: string | null;
  saleId?: string | null;
  providerAccountId?: string | null;
  /** only breaks found longer ago than that */
  olderThanDays?: number | null;
  /** cursor of the page before */
  before?: string | null;
}

export interface BreakPage {
  breaks: BreakLine[];
  /** cursor of the next, older page; null on the last one */
  before: string | null;
}

/** A break with what is known about it. Integer cents; times are ISO, UTC. */
export interface BreakDetail extends BreakLine {
  evidence: unknown;
  /** what the provider booked */
  transaction: {
    id: string;
    ref: string;
    kind: TransactionKind;
    amountCents: number;
    feeCents: number;
    currency: string;
    checkoutRef: string | null;
    paymentRef: string | null;
    objectRef: string | null;
    bookedAt: string;
  } | null;
  /** what the books say about the same thing */
  postings: { id: number; cents: number; memo: string; at: string }[];
  note: string | null;
  resolvedBy: string | null;
  approvedBy: string | null;
  approvals: {
    amountCents: number;
    /** what it is posted to; null where it is acknowledged */
    account: ExpenseAccount | null;
    reason: string;
    requestedBy: string;
    requestedAt: string;
    decision: string | null;
    decidedBy: string | null;
  }[];
  refunds: {
    status: 'pending' | 'sent' | 'arrived' | 'failed';
    amountCents: number;
    failure: string | null;
    createdAt: string;
  }[];
}

/** A run over one account. Integer cents; times are ISO, UTC. */
export interface RunLine {
  id: string;
  provider: string;
  livemode: boolean;
  state: 'running' | 'finished' | 'failed';
  from: string;
  to: string;
  listed: number;
  stored: number;
  storedCents: number;
  matched: number;
  matchedCents: number;
  breaksOpened: number;
  breaksClosed: number;
  /** null where they were not compared */
  theirsCents: number | null;
  oursCents: number | null;
  pendingCents: number | null;
  failure: string | null;
  startedAt: string;
  finishedAt: string | null;
}

/** The clearing of one provider account against what the provider holds; integer cents. */
export interface AccountBalance {
  accountId: string;
  provider: string;
  livemode: boolean;
  oursCents: number;
  /** whether the books say anything about it */
  hasPostings: boolean;
  /** null with a reason when the provider was not asked */
  comparison: Comparison | null;
  reason: string | null;
}

/** Something on the other side that a break may be about. */
export interface BreakChoice {
  /** `posting:ID` or `transaction:ID` */
  value: string;
  label: string;
  /** ISO, UTC */
  at: string;
}

/** The open breaks of one kind. */
export interface BreakCount {
  kind: BreakKind;
  title: string;
  count: number;
  /** when the oldest was found; ISO, UTC */
  oldestAt: string;
}

/** What providers book, in words. */
export const transactionLabels: Record<TransactionKind, string> = {
  payment: 'Payment',
  refund: 'Refund',
  refund_return: 'Returned refund',
  dispute: 'Dispute',
  dispute_return: 'Dispute decided for us',
  fee: 'Fee',
  bank_payout: 'Payout to our bank',
  bank_payout_return: 'Returned payout to our bank',
  transfer: 'Transfer',
  transfer_return: 'Returned transfer',
  adjustment: 'Adjustment',
};

/** What an administrator can decide about a break. Integer cents. */
export interface BreakDecision {
  actions: BreakAction[];
  /** what a write-off gives up, or an acknowledgement is about; null where nothing is left to decide */
  atStakeCents: number | null;
  /** what goes back before it can be acknowledged */
  inSuspenseCents: number;
  /** such money is on its way back */
  refundRuns: boolean;
  /** above this amount a write-off, or another cost or loss, waits for another administrator */
  approvalAboveCents: number;
  /** what it can turn out to be */
  choices: BreakChoice[];
  /** what may be the other side of a move between our own accounts */
  counterparts: BreakChoice[];
  /** the money went out, not in */
  isOutgoing: boolean;
}
