import type { PropertyStatus } from '#features/listings/model.ts';
import type { TaskKind } from '#features/tasks/model.ts';
import { type DocumentsFacts, documentsOverdue } from './documents.ts';
import type { EscrowStatus, Party, PaymentStatus, SaleEvent, SaleState, TransitionRefusal } from './model.ts';

/** What guards know about a sale besides its state. */
export interface SaleFacts extends DocumentsFacts {
  frozen: boolean;
  /** a problem reported by a party is still open */
  problemOpen: boolean;
  /** who reported it */
  problemOpenedBy: 'buyer' | 'seller' | null;
  cancellationAskedBy: 'buyer' | 'seller' | 'admin' | null;
  /** both sides have been told that the documents are overdue */
  overdueNoted: boolean;
  releaseDueAt: Date | null;
  refundRunning: boolean;
}

type Guard = (facts: SaleFacts, by: Party) => TransitionRefusal | null;

const guards = {
  notFrozen: ({ frozen }) => (frozen ? 'frozen' : null),
  noProblem: ({ problemOpen }) => (problemOpen ? 'problem_open' : null),
  problemOpen: ({ problemOpen }) => (problemOpen ? null : 'no_problem_open'),
  reportedByYourself: ({ problemOpenedBy }, by) => (problemOpenedBy === by ? null : 'reported_by_other'),
  noCancellationAsked: ({ cancellationAskedBy }) => (cancellationAskedBy ? 'cancellation_asked' : null),
  notAskedYet: ({ cancellationAskedBy }) => (cancellationAskedBy ? 'already_asked' : null),
  cancellationAsked: ({ cancellationAskedBy }) => (cancellationAskedBy ? null : 'no_cancellation_asked'),
  askedByTheOther: ({ cancellationAskedBy }, by) => (cancellationAskedBy === by ? 'asked_by_yourself' : null),
  notDelivered: ({ documentsDelivered }) => (documentsDelivered ? 'already_delivered' : null),
  overdue: (facts) => (documentsOverdue(facts) ? null : 'not_due'),
  overdueNotNoted: ({ overdueNoted }) => (overdueNoted ? 'not_now' : null),
  due: ({ releaseDueAt, documentsDelivered, now }) =>
    documentsDelivered && releaseDueAt !== null && releaseDueAt <= now ? null : 'not_due',
  noRefundRunning: ({ refundRunning }) => (refundRunning ? 'refund_running' : null),
} satisfies Record<string, Guard>;

type GuardName = keyof typeof guards;

/** A side effect of a transition, in the same database transaction. */
export type Effect =
  | 'receipt'
  | 'post_paid'
  | 'post_released'
  | 'post_refund'
  | 'post_refund_back'
  | 'post_disputed'
  | 'post_won'
  | 'post_lost'
  | 'ask_refund'
  | 'ask_refund_again'
  | 'extend_hold'
  | 'end_hold'
  | 'start_documents_timer'
  | 'postpone_documents'
  | 'note_overdue'
  | 'start_release_timer'
  | 'postpone_release'
  | 'note_cancellation'
  | 'forget_cancellation'
  | 'freeze'
  | 'unfreeze'
  | 'open_problem'
  | 'close_problem';

export interface Transition {
  event: SaleEvent;
  by: readonly Party[];
  payment: readonly PaymentStatus[];
  escrow: readonly EscrowStatus[];
  guards: readonly GuardName[];
  to: Partial<SaleState>;
  /** the new status of the property */
  property?: PropertyStatus;
  effects: readonly Effect[];
  /** what the administrators have to look at from now on */
  opensTask?: TaskKind;
  /** what is settled by it */
  closesTasks?: readonly TaskKind[];
}

const UNPAID: readonly PaymentStatus[] = ['pending', 'processing'];

/** Every transition of a sale after its start. Whatever is not in this table is refused. */
export const transitions: readonly Transition[] = [
  {
    event: 'submit_payment',
    by: ['system'],
    payment: ['pending'],
    escrow: ['pending'],
    guards: [],
    to: { payment: 'processing' },
    effects: ['extend_hold'],
  },
  {
    event: 'confirm_payment',
    by: ['system'],
    payment: UNPAID,
    escrow: ['pending'],
    guards: ['notFrozen'],
    to: { payment: 'completed', escrow: 'in_escrow' },
    property: 'escrow',
    effects: ['receipt', 'post_paid', 'end_hold', 'start_documents_timer'],
  },
  {
    // The money arrived, but the sale has ended or the property is no longer available: it is refunded.
    event: 'confirm_refused_payment',
    by: ['system'],
    payment: ['pending', 'processing', 'failed'],
    escrow: ['pending', 'cancelled'],
    guards: ['notFrozen'],
    to: { payment: 'completed', escrow: 'cancelled' },
    effects: ['receipt', 'post_paid', 'end_hold', 'ask_refund'],
    opensTask: 'payment_too_late',
  },
  ...(['fail_payment', 'expire_checkout'] as const).map(
    (event): Transition => ({
      event,
      by: ['system'],
      payment: UNPAID,
      escrow: ['pending'],
      guards: ['notFrozen'],
      to: { payment: 'failed', escrow: 'cancelled' },
      effects: ['end_hold'],
    }),
  ),
  {
    event: 'cancel_checkout',
    by: ['buyer', 'system'],
    payment: ['pending'],
    escrow: ['pending'],
    guards: ['notFrozen'],
    to: { payment: 'failed', escrow: 'cancelled' },
    effects: ['end_hold'],
  },
  {
    // The payment differs from what was requested: the sale stays frozen until an administrator has looked at it.
    event: 'hold_mismatch',
    by: ['system'],
    payment: ['pending', 'processing', 'failed'],
    escrow: ['pending', 'cancelled'],
    guards: ['notFrozen'],
    to: {},
    effects: ['freeze'],
    opensTask: 'payment_mismatch',
  },
  {
    event: 'deliver_documents',
    by: ['seller', 'admin'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['notFrozen', 'noProblem', 'notDelivered', 'noCancellationAsked'],
    to: {},
    effects: ['start_release_timer'],
    closesTasks: ['documents_overdue'],
  },
  {
    event: 'miss_documents_deadline',
    by: ['system'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['notFrozen', 'notDelivered', 'overdue', 'overdueNotNoted'],
    to: {},
    effects: ['note_overdue'],
    opensTask: 'documents_overdue',
  },
  {
    // The buyer ends the sale alone: neither an open problem nor a cancellation that was asked for stands in the way.
    event: 'cancel_undelivered',
    by: ['buyer'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['notFrozen', 'notDelivered', 'overdue'],
    to: { escrow: 'cancelled' },
    property: 'Active',
    effects: ['ask_refund', 'close_problem'],
    closesTasks: ['documents_overdue', 'problem_reported', 'problem_overdue'],
  },
  {
    event: 'confirm_closing',
    by: ['buyer'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['notFrozen', 'noProblem', 'noCancellationAsked', 'noRefundRunning'],
    to: { escrow: 'completed', payout: 'pending' },
    property: 'Sold',
    effects: ['post_released'],
    closesTasks: ['documents_overdue'],
  },
  {
    event: 'release',
    by: ['admin'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['notFrozen', 'noProblem', 'noRefundRunning'],
    to: { escrow: 'completed', payout: 'pending' },
    property: 'Sold',
    effects: ['post_released', 'forget_cancellation'],
    closesTasks: ['documents_overdue'],
  },
  {
    event: 'auto_release',
    by: ['system'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['due', 'notFrozen', 'noProblem', 'noCancellationAsked', 'noRefundRunning'],
    to: { escrow: 'completed', payout: 'pending' },
    property: 'Sold',
    effects: ['post_released'],
  },
  {
    event: 'request_cancellation',
    by: ['buyer', 'seller'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['notAskedYet'],
    to: {},
    effects: ['note_cancellation'],
  },
  {
    event: 'decline_cancellation',
    by: ['buyer', 'seller', 'admin'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['cancellationAsked'],
    to: {},
    effects: ['forget_cancellation', 'postpone_release', 'postpone_documents'],
  },
  {
    event: 'agree_cancellation',
    by: ['buyer', 'seller'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['cancellationAsked', 'askedByTheOther', 'notFrozen'],
    to: { escrow: 'cancelled' },
    property: 'Active',
    effects: ['ask_refund', 'close_problem'],
    closesTasks: ['documents_overdue', 'problem_reported', 'problem_overdue'],
  },
  {
    event: 'cancel_sale',
    by: ['admin'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['notFrozen'],
    to: { escrow: 'cancelled' },
    property: 'Active',
    effects: ['ask_refund', 'close_problem'],
    closesTasks: ['documents_overdue', 'problem_reported', 'problem_overdue'],
  },
  {
    event: 'report_problem',
    by: ['buyer', 'seller'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['noProblem'],
    to: {},
    effects: ['open_problem'],
    opensTask: 'problem_reported',
  },
  {
    event: 'resolve_problem',
    by: ['admin'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['problemOpen'],
    to: {},
    effects: ['close_problem', 'postpone_release', 'postpone_documents'],
    closesTasks: ['problem_reported', 'problem_overdue'],
  },
  {
    event: 'withdraw_problem',
    by: ['buyer', 'seller'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['problemOpen', 'reportedByYourself'],
    to: {},
    effects: ['close_problem', 'postpone_release', 'postpone_documents'],
    closesTasks: ['problem_reported', 'problem_overdue'],
  },
  {
    event: 'open_dispute',
    by: ['system'],
    payment: ['completed', 'refunded'],
    escrow: ['in_escrow', 'completed', 'cancelled'],
    guards: [],
    to: {},
    effects: ['freeze', 'post_disputed'],
    opensTask: 'dispute_opened',
  },
  {
    event: 'win_dispute',
    by: ['system'],
    payment: ['completed', 'refunded'],
    escrow: ['in_escrow', 'completed', 'cancelled'],
    guards: [],
    to: {},
    effects: ['unfreeze', 'post_won', 'postpone_release', 'postpone_documents'],
    closesTasks: ['dispute_opened'],
  },
  {
    event: 'lose_dispute',
    by: ['system'],
    payment: ['completed'],
    escrow: ['in_escrow', 'cancelled'],
    guards: [],
    to: { payment: 'refunded', escrow: 'cancelled' },
    property: 'Active',
    effects: ['unfreeze', 'post_lost', 'close_problem'],
    opensTask: 'dispute_lost',
    closesTasks: ['dispute_opened', 'problem_reported', 'problem_overdue', 'documents_overdue'],
  },
  {
    // After release the seller owes the money back; an administrator settles that.
    event: 'lose_dispute',
    by: ['system'],
    payment: ['completed', 'refunded'],
    escrow: ['completed', 'cancelled'],
    guards: [],
    to: {},
    effects: [],
    opensTask: 'dispute_lost',
    closesTasks: ['dispute_opened'],
  },
  {
    event: 'settle_refund',
    by: ['system'],
    payment: ['completed'],
    escrow: ['cancelled'],
    guards: [],
    to: { payment: 'refunded' },
    effects: ['post_refund'],
    closesTasks: ['payment_too_late', 'refund_failed', 'refund_returned', 'refund_overdue'],
  },
  {
    event: 'fail_refund',
    by: ['system'],
    payment: ['completed'],
    escrow: ['cancelled'],
    guards: [],
    to: {},
    effects: ['ask_refund_again'],
    opensTask: 'refund_failed',
    closesTasks: ['refund_overdue'],
  },
  {
    // The buyer's bank returned a refund that had arrived: the money is held again, and refunded again.
    event: 'return_refund',
    by: ['system'],
    payment: ['refunded'],
    escrow: ['cancelled'],
    guards: [],
    to: { payment: 'completed' },
    effects: ['post_refund_back', 'ask_refund_again'],
    opensTask: 'refund_returned',
  },
];

type TransitionResolution =
  | { ok: true; transition: Transition; state: SaleState }
  | { ok: false; reason: TransitionRefusal };

/** Resolves an event triggered by a party to its transition, or to the reason why it is refused. Pure. */
export function resolveTransition(
  state: SaleState,
  event: SaleEvent,
  by: Party,
  facts: SaleFacts,
): TransitionResolution {
  const rows = transitions.filter((row) => row.event === event);
  const fitting = rows.find(
    (row) => row.payment.includes(state.payment) && row.escrow.includes(state.escrow),
  );
  if (!fitting) return { ok: false, reason: 'not_now' };
  if (!fitting.by.includes(by)) return { ok: false, reason: 'not_yours' };
  for (const name of fitting.guards) {
    const reason = guards[name](facts, by);
    if (reason) return { ok: false, reason };
  }
  return { ok: true, transition: fitting, state: { ...state, ...fitting.to } };
}

/** The events that a party can trigger now; the buttons of the sale page. */
export function possibleEvents(state: SaleState, by: Party, facts: SaleFacts): SaleEvent[] {
  const events = new Set(transitions.map((row) => row.event));
  return [...events].filter((event) => resolveTransition(state, event, by, facts).ok);
}
