import { expect, it } from 'vitest';
import { transitions } from './transitions.ts';

it('each transition has exactly these effects', () => {
  const effects = transitions.map(
    ({ event, when, property, effects, opensTask, closesTasks = [] }) =>
      `${event}${when ? ` (${when})` : ''}: ${[
        ...effects,
        property && `property ${property}`,
        opensTask && `opens ${opensTask}`,
        ...closesTasks.map((kind) => `closes ${kind}`),
      ]
        .filter(Boolean)
        .join(', ')}`,
  );
  expect(effects).toEqual([
    'submit_payment: extend_hold',
    ...['receive_part: hold_for_rest', 'receive_part: '],
    'confirm_payment: receipt, end_hold, start_documents_timer, property escrow',
    'confirm_refused_payment: receipt, end_hold, ask_refund, opens payment_too_late',
    ...['fail_payment: end_hold', 'expire_checkout: end_hold', 'cancel_checkout: end_hold'],
    'hold_mismatch: freeze, opens payment_mismatch',
    'accept_mismatch: receipt, end_hold, unfreeze, start_documents_timer, ask_refund, property escrow, closes payment_mismatch',
    'return_mismatch: end_hold, unfreeze, ask_refund, closes payment_mismatch',
    'dismiss_mismatch: end_hold, unfreeze, closes payment_mismatch',
    'return_incomplete: end_hold, ask_refund',
    'deliver_documents: start_release_timer, closes documents_overdue',
    'remove_documents: end_release_timer',
    'miss_documents_deadline: note_overdue, opens documents_overdue',
    'cancel_undelivered: ask_refund, close_problem, property Active, closes documents_overdue, closes problem_reported, closes problem_overdue',
    'confirm_closing: post_released, property Sold, closes documents_overdue',
    'release: post_released, forget_cancellation, property Sold, closes documents_overdue',
    ...['auto_release: post_released, property Sold', 'request_cancellation: note_cancellation'],
    'decline_cancellation: forget_cancellation, postpone_release, postpone_documents',
    'agree_cancellation: ask_refund, close_problem, property Active, closes documents_overdue, closes problem_reported, closes problem_overdue',
    'cancel_sale: ask_refund, close_problem, property Active, closes documents_overdue, closes problem_reported, closes problem_overdue',
    'report_problem: open_problem, opens problem_reported',
    'resolve_problem: close_problem, postpone_release, postpone_documents, closes problem_reported, closes problem_overdue',
    'withdraw_problem: close_problem, postpone_release, postpone_documents, closes problem_reported, closes problem_overdue',
    'open_dispute: freeze, opens dispute_opened',
    'win_dispute: unfreeze, postpone_hold, postpone_release, postpone_documents, closes dispute_opened, closes evidence_refused',
    'lose_dispute (nothingHeld): unfreeze, close_problem, property Active, opens dispute_lost, closes dispute_opened, closes evidence_refused, closes problem_reported, closes problem_overdue, closes documents_overdue',
    'lose_dispute: unfreeze, postpone_hold, postpone_release, postpone_documents, opens dispute_lost, closes dispute_opened, closes evidence_refused',
    'reverse_dispute: note_property_gone, ask_refund_again',
    ...[
      'freeze_sale: freeze',
      'unfreeze_sale: unfreeze, postpone_hold, postpone_release, postpone_documents',
    ],
    'recognise_refund (nothingHeld): unfreeze, close_problem, property Active, closes problem_reported, closes problem_overdue, closes documents_overdue',
    'recognise_refund: unfreeze, postpone_hold, postpone_release, postpone_documents',
    ...['return_surplus: note_property_gone, ask_refund', 'request_refund: '],
    'withdraw_refund: closes refund_failed, closes refund_returned, closes refund_overdue',
    'pay_refund: closes refund_failed, closes refund_returned, closes refund_overdue',
    'settle_partial_refund: closes refund_failed, closes refund_returned, closes refund_overdue',
    'settle_refund (nothingHeld): close_problem, property Active, closes refund_failed, closes refund_returned, closes refund_overdue, closes problem_reported, closes problem_overdue, closes documents_overdue',
    'settle_refund: closes payment_too_late, closes refund_failed, closes refund_returned, closes refund_overdue',
    'fail_refund: ask_refund_again, opens refund_failed, closes refund_overdue',
    'return_refund: note_property_gone, ask_refund_again, opens refund_returned',
    ...['start_payout: ', 'complete_payout: note_paid_out', 'fail_payout: '],
    ...['return_payout: forget_paid_out', 'retry_payout: ', 'reopen_payout: '],
  ]);
});
