import { describe, expect, it } from 'vitest';
import type { EscrowStatus, Party, PaymentStatus, SaleEvent, SaleState } from './model.ts';
import type { SaleFacts } from './transition.ts';
import { possibleEvents, resolveTransition, transitions } from './transitions.ts';

const now = new Date('2026-11-20T12:00:00Z');
const defaultFacts: SaleFacts = {
  frozen: false,
  problemOpen: false,
  problemOpenedBy: null,
  cancellationAskedBy: null,
  documentsDelivered: false,
  documentsDueAt: null,
  hinderedSince: null,
  overdueNoted: false,
  releaseDueAt: null,
  refundRunning: false,
  chargebackOpen: false,
  frozenBy: 0,
  heldCents: 100_00,
  now,
};
const at = (payment: PaymentStatus, escrow: EscrowStatus, payout: SaleState['payout'] = null): SaleState => ({
  payment,
  escrow,
  payout,
});
const begun = at('pending', 'pending');
const submitted = at('processing', 'pending');
const held = at('completed', 'in_escrow');
const released = at('completed', 'completed', 'pending');
const ended = at('failed', 'cancelled');
const returning = at('completed', 'cancelled');
const returned = at('refunded', 'cancelled');
const overdue: Partial<SaleFacts> = { documentsDueAt: now };

/** State, event, party, then the next state or the refusal; facts only where they differ from the defaults. */
type Row = [SaleState, SaleEvent, Party, SaleState | string, Partial<SaleFacts>?];
const table: Row[] = [
  [begun, 'submit_payment', 'system', submitted],
  [submitted, 'submit_payment', 'system', 'not_now'],
  [begun, 'submit_payment', 'buyer', 'not_yours'],
  [begun, 'confirm_payment', 'system', held],
  [submitted, 'confirm_payment', 'system', held],
  [begun, 'confirm_payment', 'system', 'frozen', { frozen: true }],
  [held, 'confirm_payment', 'system', 'not_now'],
  [ended, 'confirm_payment', 'system', 'not_now'],
  [ended, 'confirm_refused_payment', 'system', returning],
  [begun, 'confirm_refused_payment', 'system', returning],
  [submitted, 'confirm_refused_payment', 'system', returning],
  [ended, 'confirm_refused_payment', 'system', 'frozen', { frozen: true }],
  [returning, 'confirm_refused_payment', 'system', 'not_now'],
  [held, 'confirm_refused_payment', 'system', 'not_now'],
  [begun, 'fail_payment', 'system', ended],
  [submitted, 'fail_payment', 'system', ended],
  [submitted, 'fail_payment', 'system', 'frozen', { frozen: true }],
  [held, 'fail_payment', 'system', 'not_now'],
  [begun, 'expire_checkout', 'system', ended],
  [submitted, 'expire_checkout', 'system', ended],
  [begun, 'expire_checkout', 'system', 'frozen', { frozen: true }],
  [ended, 'expire_checkout', 'system', 'not_now'],
  [begun, 'cancel_checkout', 'buyer', ended],
  [begun, 'cancel_checkout', 'system', ended],
  [begun, 'cancel_checkout', 'seller', 'not_yours'],
  [begun, 'cancel_checkout', 'buyer', 'frozen', { frozen: true }],
  [submitted, 'cancel_checkout', 'buyer', 'not_now'],
  [begun, 'hold_mismatch', 'system', begun],
  [submitted, 'hold_mismatch', 'system', submitted],
  [ended, 'hold_mismatch', 'system', ended],
  [begun, 'hold_mismatch', 'system', begun, { frozen: true }],
  [begun, 'accept_mismatch', 'admin', held, { frozen: true }],
  [submitted, 'accept_mismatch', 'admin', held, { frozen: true }],
  [begun, 'accept_mismatch', 'buyer', 'not_yours', { frozen: true }],
  [begun, 'accept_mismatch', 'admin', 'disputed', { frozen: true, chargebackOpen: true }],
  [ended, 'accept_mismatch', 'admin', 'not_now', { frozen: true }],
  [held, 'accept_mismatch', 'admin', 'not_now'],
  [begun, 'return_mismatch', 'admin', returning, { frozen: true }],
  [ended, 'return_mismatch', 'admin', returning, { frozen: true }],
  [begun, 'return_mismatch', 'seller', 'not_yours', { frozen: true }],
  [begun, 'return_mismatch', 'admin', 'disputed', { frozen: true, chargebackOpen: true }],
  [held, 'return_mismatch', 'admin', 'not_now'],
  [begun, 'dismiss_mismatch', 'admin', ended, { frozen: true, heldCents: 0 }],
  [ended, 'dismiss_mismatch', 'admin', ended, { frozen: true, heldCents: 0 }],
  [begun, 'dismiss_mismatch', 'admin', 'disputed', { chargebackOpen: true }],
  [held, 'hold_mismatch', 'system', 'not_now'],
  [held, 'deliver_documents', 'seller', held],
  [held, 'deliver_documents', 'admin', held],
  [held, 'deliver_documents', 'buyer', 'not_yours'],
  [held, 'deliver_documents', 'seller', 'frozen', { frozen: true }],
  [held, 'deliver_documents', 'seller', 'problem_open', { problemOpen: true }],
  [held, 'deliver_documents', 'seller', 'already_delivered', { documentsDelivered: true }],
  [held, 'deliver_documents', 'seller', 'cancellation_asked', { cancellationAskedBy: 'buyer' }],
  [begun, 'deliver_documents', 'seller', 'not_now'],
  [held, 'confirm_closing', 'buyer', released],
  [held, 'confirm_closing', 'seller', 'not_yours'],
  [held, 'confirm_closing', 'admin', 'not_yours'],
  [held, 'confirm_closing', 'buyer', 'frozen', { frozen: true }],
  [held, 'confirm_closing', 'buyer', 'problem_open', { problemOpen: true }],
  [held, 'confirm_closing', 'buyer', 'cancellation_asked', { cancellationAskedBy: 'seller' }],
  [held, 'confirm_closing', 'buyer', 'refund_running', { refundRunning: true }],
  [begun, 'confirm_closing', 'buyer', 'not_now'],
  [submitted, 'confirm_closing', 'buyer', 'not_now'],
  [released, 'confirm_closing', 'buyer', 'not_now'],
  [returning, 'confirm_closing', 'buyer', 'not_now'],
  [held, 'release', 'admin', released],
  [held, 'release', 'admin', released, { cancellationAskedBy: 'buyer' }],
  [held, 'release', 'buyer', 'not_yours'],
  [held, 'release', 'seller', 'not_yours'],
  [held, 'release', 'admin', 'frozen', { frozen: true }],
  [held, 'release', 'admin', 'problem_open', { problemOpen: true }],
  [held, 'release', 'admin', 'refund_running', { refundRunning: true }],
  [held, 'auto_release', 'system', released, { documentsDelivered: true, releaseDueAt: now }],
  [held, 'auto_release', 'system', 'not_due', { documentsDelivered: false, releaseDueAt: now }],
  [held, 'auto_release', 'system', 'not_due', { documentsDelivered: true, releaseDueAt: null }],
  [held, 'auto_release', 'system', 'not_due', { documentsDelivered: true, releaseDueAt: new Date(+now + 1) }],
  [held, 'auto_release', 'admin', 'not_yours', { documentsDelivered: true, releaseDueAt: now }],
  [held, 'auto_release', 'system', 'frozen', { documentsDelivered: true, releaseDueAt: now, frozen: true }],
  [
    held,
    'auto_release',
    'system',
    'problem_open',
    { documentsDelivered: true, releaseDueAt: now, problemOpen: true },
  ],
  [
    held,
    'auto_release',
    'system',
    'cancellation_asked',
    { documentsDelivered: true, releaseDueAt: now, cancellationAskedBy: 'buyer' },
  ],
  [
    held,
    'auto_release',
    'system',
    'refund_running',
    { documentsDelivered: true, releaseDueAt: now, refundRunning: true },
  ],
  [held, 'request_cancellation', 'buyer', held],
  [held, 'request_cancellation', 'seller', held],
  [held, 'request_cancellation', 'admin', 'not_yours'],
  [held, 'request_cancellation', 'buyer', 'already_asked', { cancellationAskedBy: 'seller' }],
  [begun, 'request_cancellation', 'buyer', 'not_now'],
  [released, 'request_cancellation', 'buyer', 'not_now'],
  [held, 'decline_cancellation', 'buyer', held, { cancellationAskedBy: 'seller' }],
  [held, 'decline_cancellation', 'seller', held, { cancellationAskedBy: 'seller' }],
  [held, 'decline_cancellation', 'admin', held, { cancellationAskedBy: 'seller' }],
  [held, 'decline_cancellation', 'buyer', 'no_cancellation_asked'],
  [held, 'agree_cancellation', 'buyer', returning, { cancellationAskedBy: 'seller' }],
  [held, 'agree_cancellation', 'seller', returning, { cancellationAskedBy: 'buyer' }],
  [held, 'agree_cancellation', 'buyer', 'asked_by_yourself', { cancellationAskedBy: 'buyer' }],
  [held, 'agree_cancellation', 'seller', 'no_cancellation_asked'],
  [held, 'agree_cancellation', 'seller', 'frozen', { cancellationAskedBy: 'buyer', frozen: true }],
  [held, 'agree_cancellation', 'admin', 'not_yours', { cancellationAskedBy: 'buyer' }],
  [held, 'cancel_sale', 'admin', returning],
  [held, 'cancel_sale', 'buyer', 'not_yours'],
  [held, 'cancel_sale', 'admin', 'frozen', { frozen: true }],
  [released, 'cancel_sale', 'admin', 'not_now'],
  [held, 'report_problem', 'buyer', held],
  [held, 'report_problem', 'seller', held],
  [held, 'report_problem', 'buyer', 'problem_open', { problemOpen: true }],
  [released, 'report_problem', 'buyer', 'not_now'],
  [held, 'resolve_problem', 'admin', held, { problemOpen: true }],
  [held, 'resolve_problem', 'admin', 'no_problem_open'],
  [held, 'resolve_problem', 'buyer', 'not_yours', { problemOpen: true }],
  [held, 'withdraw_problem', 'buyer', held, { problemOpen: true, problemOpenedBy: 'buyer' }],
  [held, 'withdraw_problem', 'seller', held, { problemOpen: true, problemOpenedBy: 'seller' }],
  [held, 'withdraw_problem', 'buyer', 'reported_by_other', { problemOpen: true, problemOpenedBy: 'seller' }],
  [held, 'withdraw_problem', 'seller', 'reported_by_other', { problemOpen: true, problemOpenedBy: 'buyer' }],
  [held, 'withdraw_problem', 'admin', 'not_yours', { problemOpen: true, problemOpenedBy: 'buyer' }],
  [held, 'withdraw_problem', 'buyer', 'no_problem_open'],
  [held, 'cancel_undelivered', 'buyer', returning, overdue],
  [held, 'cancel_undelivered', 'buyer', returning, { ...overdue, problemOpen: true }],
  [held, 'cancel_undelivered', 'buyer', returning, { ...overdue, cancellationAskedBy: 'seller' }],
  [held, 'cancel_undelivered', 'buyer', 'not_due'],
  [held, 'cancel_undelivered', 'buyer', 'not_due', { documentsDueAt: new Date(+now + 1) }],
  [held, 'cancel_undelivered', 'buyer', 'not_due', { ...overdue, hinderedSince: new Date(+now - 1) }],
  [held, 'cancel_undelivered', 'buyer', returning, { ...overdue, hinderedSince: now }],
  [held, 'cancel_undelivered', 'buyer', 'already_delivered', { ...overdue, documentsDelivered: true }],
  [held, 'cancel_undelivered', 'buyer', 'frozen', { ...overdue, frozen: true }],
  [held, 'cancel_undelivered', 'seller', 'not_yours', overdue],
  [held, 'cancel_undelivered', 'admin', 'not_yours', overdue],
  [released, 'cancel_undelivered', 'buyer', 'not_now', overdue],
  [held, 'deliver_documents', 'seller', held, overdue],
  [held, 'miss_documents_deadline', 'system', held, overdue],
  [held, 'miss_documents_deadline', 'system', 'not_due'],
  [held, 'miss_documents_deadline', 'system', 'not_now', { ...overdue, overdueNoted: true }],
  [held, 'miss_documents_deadline', 'system', 'already_delivered', { ...overdue, documentsDelivered: true }],
  [held, 'miss_documents_deadline', 'system', 'frozen', { ...overdue, frozen: true }],
  [held, 'miss_documents_deadline', 'buyer', 'not_yours', overdue],
  [held, 'open_dispute', 'system', held],
  [released, 'open_dispute', 'system', released],
  [returned, 'open_dispute', 'system', returned],
  [begun, 'open_dispute', 'system', begun],
  [held, 'win_dispute', 'system', held, { frozen: true }],
  [released, 'win_dispute', 'system', released, { frozen: true }],
  [held, 'lose_dispute', 'system', returned, { frozen: true, heldCents: 0 }],
  [held, 'lose_dispute', 'system', held, { frozen: true, heldCents: 1 }],
  [returning, 'lose_dispute', 'system', returning, { frozen: true, heldCents: 0 }],
  [released, 'lose_dispute', 'system', released, { frozen: true, heldCents: 0 }],
  [returned, 'lose_dispute', 'system', returned, { frozen: true, heldCents: 0 }],
  [held, 'lose_dispute', 'admin', 'not_yours', { heldCents: 0 }],
  [returned, 'reverse_dispute', 'system', returning],
  [held, 'reverse_dispute', 'system', held],
  [released, 'reverse_dispute', 'system', released],
  [ended, 'reverse_dispute', 'system', 'not_now'],
  [begun, 'freeze_sale', 'system', begun],
  [held, 'freeze_sale', 'system', held],
  [held, 'freeze_sale', 'admin', 'not_yours'],
  [held, 'unfreeze_sale', 'admin', held, { frozen: true }],
  [held, 'unfreeze_sale', 'admin', 'not_frozen'],
  [held, 'unfreeze_sale', 'system', held, { frozen: true }],
  [held, 'recognise_refund', 'admin', returned, { frozen: true, heldCents: 0 }],
  [held, 'recognise_refund', 'admin', held, { frozen: true }],
  [held, 'recognise_refund', 'admin', 'not_frozen', { heldCents: 0 }],
  [held, 'recognise_refund', 'admin', 'disputed', { frozen: true, heldCents: 0, chargebackOpen: true }],
  [held, 'recognise_refund', 'buyer', 'not_yours', { frozen: true }],
  [released, 'recognise_refund', 'admin', released, { frozen: true, heldCents: 0 }],
  [released, 'recognise_refund', 'admin', 'not_frozen', { heldCents: 0 }],
  [held, 'request_refund', 'admin', held],
  [released, 'request_refund', 'admin', released],
  [held, 'request_refund', 'admin', 'frozen', { frozen: true }],
  [held, 'request_refund', 'admin', 'disputed', { frozen: true, chargebackOpen: true }],
  [held, 'request_refund', 'seller', 'not_yours'],
  [returning, 'request_refund', 'admin', 'not_now'],
  [held, 'settle_partial_refund', 'system', held],
  [released, 'settle_partial_refund', 'system', released],
  [returning, 'settle_partial_refund', 'system', 'not_now'],
  [returning, 'settle_refund', 'system', returned],
  [released, 'settle_refund', 'system', at('refunded', 'completed', 'pending')],
  [returned, 'settle_refund', 'system', 'not_now'],
  [held, 'settle_refund', 'system', 'not_now'],
  [returning, 'settle_refund', 'admin', 'not_yours'],
  [returning, 'fail_refund', 'system', returning],
  [held, 'fail_refund', 'system', held],
  [released, 'fail_refund', 'system', released],
  [returned, 'fail_refund', 'system', 'not_now'],
  [returned, 'return_refund', 'system', returning],
  [returned, 'return_refund', 'admin', 'not_yours'],
  [returning, 'return_refund', 'system', returning],
  [at('refunded', 'completed', 'pending'), 'return_refund', 'system', released],
];

describe('the sale state machine', () => {
  it.each(table)('%j · %s by the %s: %j', (state, event, by, expected, facts = {}) => {
    const resolution = resolveTransition(state, event, by, { ...defaultFacts, ...facts });
    expect(resolution.ok ? resolution.state : resolution.reason).toEqual(expected);
  });

  it('has exactly these effects for each transition', () => {
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
      'confirm_payment: receipt, end_hold, start_documents_timer, property escrow',
      'confirm_refused_payment: receipt, end_hold, ask_refund, opens payment_too_late',
      'fail_payment: end_hold',
      'expire_checkout: end_hold',
      'cancel_checkout: end_hold',
      'hold_mismatch: freeze, opens payment_mismatch',
      'accept_mismatch: receipt, end_hold, unfreeze, start_documents_timer, ask_refund, property escrow, closes payment_mismatch',
      'return_mismatch: end_hold, unfreeze, ask_refund, closes payment_mismatch',
      'dismiss_mismatch: end_hold, unfreeze, closes payment_mismatch',
      'deliver_documents: start_release_timer, closes documents_overdue',
      'miss_documents_deadline: note_overdue, opens documents_overdue',
      'cancel_undelivered: ask_refund, close_problem, property Active, closes documents_overdue, closes problem_reported, closes problem_overdue',
      'confirm_closing: post_released, property Sold, closes documents_overdue',
      'release: post_released, forget_cancellation, property Sold, closes documents_overdue',
      'auto_release: post_released, property Sold',
      'request_cancellation: note_cancellation',
      'decline_cancellation: forget_cancellation, postpone_release, postpone_documents',
      'agree_cancellation: ask_refund, close_problem, property Active, closes documents_overdue, closes problem_reported, closes problem_overdue',
      'cancel_sale: ask_refund, close_problem, property Active, closes documents_overdue, closes problem_reported, closes problem_overdue',
      'report_problem: open_problem, opens problem_reported',
      'resolve_problem: close_problem, postpone_release, postpone_documents, closes problem_reported, closes problem_overdue',
      'withdraw_problem: close_problem, postpone_release, postpone_documents, closes problem_reported, closes problem_overdue',
      'open_dispute: freeze, opens dispute_opened',
      'win_dispute: unfreeze, postpone_release, postpone_documents, closes dispute_opened, closes evidence_refused',
      'lose_dispute (nothingHeld): unfreeze, close_problem, property Active, opens dispute_lost, closes dispute_opened, closes evidence_refused, closes problem_reported, closes problem_overdue, closes documents_overdue',
      'lose_dispute: unfreeze, postpone_release, postpone_documents, opens dispute_lost, closes dispute_opened, closes evidence_refused',
      'reverse_dispute: ask_refund_again',
      'freeze_sale: freeze',
      'unfreeze_sale: unfreeze, postpone_release, postpone_documents',
      'recognise_refund (nothingHeld): unfreeze, close_problem, property Active, closes problem_reported, closes problem_overdue, closes documents_overdue',
      'recognise_refund: unfreeze, postpone_release, postpone_documents',
      'request_refund: ',
      'settle_partial_refund: closes refund_failed, closes refund_returned, closes refund_overdue',
      'settle_refund: closes payment_too_late, closes refund_failed, closes refund_returned, closes refund_overdue',
      'fail_refund: ask_refund_again, opens refund_failed, closes refund_overdue',
      'return_refund: ask_refund_again, opens refund_returned',
    ]);
  });

  it('refuses unknown events in every state', () => {
    const payments: PaymentStatus[] = ['pending', 'processing', 'completed', 'failed', 'refunded'];
    const escrows: EscrowStatus[] = ['pending', 'in_escrow', 'completed', 'cancelled'];
    for (const payment of payments)
      for (const escrow of escrows)
        for (const event of ['begin', 'payout', ''] as SaleEvent[])
          expect(resolveTransition(at(payment, escrow), event, 'system', defaultFacts)).toEqual({
            ok: false,
            reason: 'not_now',
          });
  });

  it('offers each party the actions possible now', () => {
    expect(possibleEvents(held, 'buyer', defaultFacts)).toEqual([
      'confirm_closing',
      'request_cancellation',
      'report_problem',
    ]);
    expect(possibleEvents(held, 'seller', defaultFacts)).toEqual([
      'deliver_documents',
      'request_cancellation',
      'report_problem',
    ]);
    expect(possibleEvents(held, 'admin', { ...defaultFacts, problemOpen: true })).toEqual([
      'cancel_sale',
      'resolve_problem',
      'request_refund',
    ]);
    expect(possibleEvents(begun, 'buyer', defaultFacts)).toEqual(['cancel_checkout']);
    expect(possibleEvents(ended, 'buyer', defaultFacts)).toEqual([]);
    expect(possibleEvents(held, 'buyer', { ...defaultFacts, frozen: true })).toEqual([
      'request_cancellation',
      'report_problem',
    ]);
  });
});
