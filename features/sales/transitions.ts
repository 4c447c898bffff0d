import type { Party, PaymentStatus, SaleEvent, SaleState, TransitionRefusal } from './model.ts';
import { moneyTransitions } from './money-transitions.ts';
import { payoutTransitions } from './payout-transitions.ts';
import { conditions, guards, type SaleFacts, type Transition } from './transition.ts';

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
    // A transfer has arrived of a payment in parts, and something is still missing.
    event: 'receive_part',
    by: ['system'],
    payment: ['pending'],
    escrow: ['pending'],
    guards: [],
    to: { payment: 'processing' },
    effects: ['hold_for_rest'],
  },
  {
    event: 'receive_part',
    by: ['system'],
    payment: ['processing'],
    escrow: ['pending'],
    guards: [],
    to: {},
    effects: [],
  },
  {
    event: 'confirm_payment',
    by: ['system'],
    payment: UNPAID,
    escrow: ['pending'],
    guards: ['notFrozen'],
    to: { payment: 'completed', escrow: 'in_escrow' },
    property: 'escrow',
    effects: ['receipt', 'end_hold', 'start_documents_timer'],
  },
  {
    // The money arrived, but the sale has ended or the property is no longer available: it is refunded.
    event: 'confirm_refused_payment',
    by: ['system'],
    payment: ['pending', 'processing', 'failed'],
    escrow: ['pending', 'cancelled'],
    guards: ['notFrozen'],
    to: { payment: 'completed', escrow: 'cancelled' },
    effects: ['receipt', 'end_hold', 'ask_refund'],
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
    guards: [],
    to: {},
    effects: ['freeze'],
    opensTask: 'payment_mismatch',
  },
  {
    event: 'accept_mismatch',
    by: ['admin'],
    payment: UNPAID,
    escrow: ['pending'],
    guards: ['noChargeback'],
    to: { payment: 'completed', escrow: 'in_escrow' },
    property: 'escrow',
    effects: ['receipt', 'end_hold', 'unfreeze', 'start_documents_timer', 'ask_refund'],
    closesTasks: ['payment_mismatch'],
  },
  {
    event: 'return_mismatch',
    by: ['admin'],
    payment: ['pending', 'processing', 'failed'],
    escrow: ['pending', 'cancelled'],
    guards: ['noChargeback'],
    to: { payment: 'completed', escrow: 'cancelled' },
    effects: ['end_hold', 'unfreeze', 'ask_refund'],
    closesTasks: ['payment_mismatch'],
  },
  {
    // Nothing was received that could be sent back: test money, another currency, or it has gone back already.
    event: 'dismiss_mismatch',
    by: ['admin'],
    payment: ['pending', 'processing', 'failed'],
    escrow: ['pending', 'cancelled'],
    guards: ['noChargeback'],
    to: { payment: 'failed', escrow: 'cancelled' },
    effects: ['end_hold', 'unfreeze'],
    closesTasks: ['payment_mismatch'],
  },
  {
    // A payment in parts was not complete in time: what has arrived goes back.
    event: 'return_incomplete',
    by: ['system'],
    payment: ['pending', 'processing', 'failed'],
    escrow: ['pending', 'cancelled'],
    guards: ['notFrozen'],
    to: { payment: 'completed', escrow: 'cancelled' },
    effects: ['end_hold', 'ask_refund'],
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
    // Everything that was delivered turned out to be malware: the buyer has nothing, so nothing is released to the seller for it.
    event: 'remove_documents',
    by: ['system'],
    payment: ['completed'],
    escrow: ['in_escrow'],
    guards: ['delivered', 'notFrozen'],
    to: {},
    effects: ['end_release_timer'],
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
    guards: ['due', 'notFrozen', 'nothingRemoved', 'noProblem', 'noCancellationAsked', 'noRefundRunning'],
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
  ...moneyTransitions,
  ...payoutTransitions,
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
    ({ payment, escrow, payout, when }) =>
      payment.includes(state.payment) &&
      escrow.includes(state.escrow) &&
      (payout === undefined || (state.payout !== null && payout.includes(state.payout))) &&
      (when === undefined || conditions[when](facts)),
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
