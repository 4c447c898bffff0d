import type { PaymentStatus } from './model.ts';
import type { Transition } from './transition.ts';

/** A payment that was refunded after the release leaves its seller nothing, or a debt. */
const PAID: readonly PaymentStatus[] = ['completed', 'refunded'];

/** How the seller of a released sale is paid; the money itself is posted with each attempt. */
export const payoutTransitions: readonly Transition[] = [
  {
    event: 'start_payout',
    by: ['admin', 'system'],
    payment: PAID,
    escrow: ['completed'],
    payout: ['pending'],
    guards: ['notFrozen', 'noChargeback', 'noRefundRunning'],
    to: { payout: 'processing' },
    effects: [],
  },
  {
    event: 'complete_payout',
    by: ['admin', 'system'],
    payment: PAID,
    escrow: ['completed'],
    payout: ['processing'],
    guards: [],
    to: { payout: 'completed' },
    effects: ['note_paid_out'],
  },
  {
    // Nothing arrived, or a part: what did not is owed to the seller again.
    event: 'fail_payout',
    by: ['admin', 'system'],
    payment: PAID,
    escrow: ['completed'],
    payout: ['processing'],
    guards: [],
    to: { payout: 'failed' },
    effects: [],
  },
  {
    // The bank, the provider or the seller sent it back after it had arrived.
    event: 'return_payout',
    by: ['admin', 'system'],
    payment: PAID,
    escrow: ['completed'],
    payout: ['completed'],
    guards: [],
    to: { payout: 'failed' },
    effects: ['forget_paid_out'],
  },
  {
    event: 'retry_payout',
    by: ['admin', 'system'],
    payment: PAID,
    escrow: ['completed'],
    payout: ['failed'],
    guards: [],
    to: { payout: 'pending' },
    effects: [],
  },
  {
    // Money that had gone back to the buyer came back after the seller was paid less for it.
    event: 'reopen_payout',
    by: ['system'],
    payment: PAID,
    escrow: ['completed'],
    payout: ['completed'],
    guards: [],
    to: { payout: 'pending' },
    effects: [],
  },
];
