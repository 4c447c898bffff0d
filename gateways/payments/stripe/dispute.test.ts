import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { disputeState } from './dispute.ts';

type Moved = { amount: number; fee?: number; category?: string };

/** A dispute of $100.00 with the fields that are read. */
const dispute = (status: string, moved: Moved[] = []) =>
  ({
    id: 'du_1',
    amount: 10_000,
    reason: 'fraudulent',
    status,
    evidence_details: { due_by: 1_800_000_000 },
    balance_transactions: moved.map(({ amount, fee = 0, category = 'dispute' }) => ({
      amount,
      fee,
      reporting_category: category,
    })),
  }) as unknown as Stripe.Dispute;

const taken = { amount: -10_000, fee: 1_500 };
const due = new Date(1_800_000_000_000);

test.each<[string, string, Moved[], object]>([
  [
    'an inquiry',
    'warning_needs_response',
    [],
    { kind: 'inquiry', status: 'open', feeCents: 0, evidenceDueAt: due },
  ],
  [
    'an answered inquiry',
    'warning_under_review',
    [],
    { kind: 'inquiry', status: 'open', evidenceDueAt: null },
  ],
  [
    'a closed inquiry',
    'warning_closed',
    [],
    { kind: 'inquiry', status: 'won', amountCents: 10_000, returnedCents: 0 },
  ],
  [
    'one that has moved nothing yet',
    'needs_response',
    [],
    { kind: 'chargeback', amountCents: 10_000, feeCents: null },
  ],
  [
    'an open one',
    'needs_response',
    [taken],
    { status: 'open', amountCents: 10_000, feeCents: 1_500, evidenceDueAt: due },
  ],
  [
    'one of a part',
    'under_review',
    [{ amount: -4_000, fee: 1_500 }],
    { amountCents: 4_000, evidenceDueAt: null },
  ],
  ['an appeal', 'appeal_needs_response', [taken], { status: 'open', evidenceDueAt: due }],
  ['a lost one', 'lost', [taken], { status: 'lost', returnedCents: 0, feeCents: 1_500 }],
  [
    'one lost in part',
    'lost',
    [taken, { amount: 3_000, category: 'dispute_reversal' }],
    { status: 'lost', amountCents: 10_000, returnedCents: 3_000, feeCents: 1_500 },
  ],
  [
    'one won with its fee back, as before June 2025',
    'won',
    [taken, { amount: 10_000, fee: -1_500, category: 'dispute_reversal' }],
    { status: 'won', returnedCents: 10_000, feeCents: 0 },
  ],
  [
    'one contested and won: the fee for contesting comes back, the other stays',
    'won',
    [
      taken,
      { amount: -1_500, category: 'fee' },
      { amount: 10_000, category: 'dispute_reversal' },
      { amount: 1_500, category: 'fee' },
    ],
    { status: 'won', amountCents: 10_000, returnedCents: 10_000, feeCents: 1_500 },
  ],
  ['one prevented for nothing', 'prevented', [], { status: 'won' }],
  ['one prevented by giving the money back', 'prevented', [taken], { status: 'lost', amountCents: 10_000 }],
])('%s', (_, status, moved, expected) => {
  expect(disputeState(dispute(status, moved))).toMatchObject(expected);
});
