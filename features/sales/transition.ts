import type { PropertyStatus } from '#features/listings/model.ts';
import type { TaskKind } from '#features/tasks/model.ts';
import { type DocumentsFacts, documentsOverdue } from './documents.ts';
import type {
  EscrowStatus,
  Party,
  PaymentStatus,
  PayoutStatus,
  SaleEvent,
  SaleState,
  TransitionRefusal,
} from './model.ts';

/** What guards know about a sale besides its state. */
export interface SaleFacts extends DocumentsFacts {
  frozen: boolean;
  /** a problem reported by a party is still open */
  problemOpen: boolean;
  /** who reported it */
  problemOpenedBy: 'buyer' | 'seller' | null;
  cancellationAskedBy: 'buyer' | 'seller' | 'admin' | null;
  /** what was delivered is gone while the sale was frozen, and no administrator has decided yet what follows */
  documentsRemoved: boolean;
  /** both sides have been told that the documents are overdue */
  overdueNoted: boolean;
  releaseDueAt: Date | null;
  refundRunning: boolean;
  /** a chargeback of its payment is not decided */
  chargebackOpen: boolean;
  /** how many causes keep it frozen: open chargebacks, and breaks that freeze */
  frozenBy: number;
  /** what is held for it of what was paid: base price, fees, and money that is not assigned yet */
  heldCents: number;
  /** it was released and refunded whole, and its property was offered again or sold to somebody else since */
  propertyGone: boolean;
}

type Guard = (facts: SaleFacts, by: Party) => TransitionRefusal | null;

/** What may stand in the way of a transition; each returns the reason, or null. */
export const guards = {
  notFrozen: ({ frozen }) => (frozen ? 'frozen' : null),
  isFrozen: ({ frozen }) => (frozen ? null : 'not_frozen'),
  noChargeback: ({ chargebackOpen }) => (chargebackOpen ? 'disputed' : null),
  noProblem: ({ problemOpen }) => (problemOpen ? 'problem_open' : null),
  problemOpen: ({ problemOpen }) => (problemOpen ? null : 'no_problem_open'),
  reportedByYourself: ({ problemOpenedBy }, by) => (problemOpenedBy === by ? null : 'reported_by_other'),
  noCancellationAsked: ({ cancellationAskedBy }) => (cancellationAskedBy ? 'cancellation_asked' : null),
  notAskedYet: ({ cancellationAskedBy }) => (cancellationAskedBy ? 'already_asked' : null),
  cancellationAsked: ({ cancellationAskedBy }) => (cancellationAskedBy ? null : 'no_cancellation_asked'),
  askedByTheOther: ({ cancellationAskedBy }, by) => (cancellationAskedBy === by ? 'asked_by_yourself' : null),
  notDelivered: ({ documentsDelivered }) => (documentsDelivered ? 'already_delivered' : null),
  delivered: ({ documentsDelivered }) => (documentsDelivered ? null : 'not_now'),
  nothingRemoved: ({ documentsRemoved }) => (documentsRemoved ? 'no_documents' : null),
  overdue: (facts) => (documentsOverdue(facts) ? null : 'not_due'),
  overdueNotNoted: ({ overdueNoted }) => (overdueNoted ? 'not_now' : null),
  due: ({ releaseDueAt, documentsDelivered, now }) =>
    documentsDelivered && releaseDueAt !== null && releaseDueAt <= now ? null : 'not_due',
  refundRunning: ({ refundRunning }) => (refundRunning ? null : 'no_refund_running'),
  noRefundRunning: ({ refundRunning }) => (refundRunning ? 'refund_running' : null),
} satisfies Record<string, Guard>;

type GuardName = keyof typeof guards;

/** What decides between rows for the same event and state. */
export const conditions = {
  nothingHeld: ({ heldCents }) => heldCents === 0,
} satisfies Record<string, (facts: SaleFacts) => boolean>;

/** A side effect of a transition, in the same database transaction. */
export type Effect =
  | 'receipt'
  | 'post_released'
  | 'ask_refund'
  | 'ask_refund_again'
  | 'extend_hold'
  | 'hold_for_rest'
  | 'end_hold'
  | 'postpone_hold'
  | 'start_documents_timer'
  | 'postpone_documents'
  | 'note_overdue'
  | 'start_release_timer'
  | 'end_release_timer'
  | 'postpone_release'
  | 'note_cancellation'
  | 'forget_cancellation'
  | 'freeze'
  | 'unfreeze'
  /** a property that is gone is not held again */
  | 'note_property_gone'
  | 'open_problem'
  | 'close_problem'
  | 'note_paid_out'
  | 'forget_paid_out';

export interface Transition {
  event: SaleEvent;
  by: readonly Party[];
  payment: readonly PaymentStatus[];
  escrow: readonly EscrowStatus[];
  /** only then; whatever it is, if absent */
  payout?: readonly PayoutStatus[];
  /** the row applies only then; else a later one may */
  when?: keyof typeof conditions;
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
