import { expect, it } from 'vitest';
import { breakActionsFor } from './break-actions.ts';
import type { Difference, TransactionRow } from './difference.ts';

const transaction = (kind: TransactionRow['kind']): TransactionRow => ({
  id: 't',
  provider_account_id: 'a',
  ref: 'txn_1',
  kind,
  amount_cents: 100,
  fee_cents: 0,
  currency: 'usd',
  checkout_ref: 'cs_1',
  payment_ref: null,
  object_ref: null,
  stated_sale: null,
  sale_id: null,
  booked_at: new Date(0),
  stored_at: new Date(0),
  amount_settled_at: null,
  fee_settled_at: null,
});
const difference = (change: Partial<Difference> = {}): Difference => ({
  accountId: 'a',
  transaction: transaction('payment'),
  parts: ['amount'],
  postingIds: [],
  cents: 100,
  feeCents: 0,
  foreign: false,
  foreignCents: 0,
  suspended: false,
  ...change,
});
const open = {
  state: 'open' as const,
  askedByReader: false,
  refundRuns: false,
  difference: difference(),
  paysSale: false,
  acknowledging: null,
};

it.each([
  ['a payment of no sale', {}, ['link', 'post', 'refund', 'write_off']],
  ['the payment of a sale', { paysSale: true }, ['link', 'post', 'write_off']],
  [
    'money that left',
    { difference: difference({ transaction: transaction('transfer') }) },
    ['link', 'post', 'treasury', 'write_off'],
  ],
  [
    'a posting that nothing confirms',
    { difference: difference({ transaction: null, postingIds: [7] }) },
    ['link', 'post', 'write_off'],
  ],
  ['a balance', { difference: difference({ transaction: null }) }, ['post', 'write_off']],
  ['a foreign currency', { difference: difference({ foreign: true }) }, ['write_off']],
  [
    'money that stands in suspense',
    { difference: difference({ suspended: true }) },
    ['post', 'refund', 'write_off'],
  ],
  ['a refund on its way', { refundRuns: true }, []],
  ['what its sale settles', { difference: null }, []],
  [
    'what is in the books',
    { difference: null, acknowledging: { cents: 1, suspenseCents: 0, refundRuns: false } },
    ['acknowledge'],
  ],
  [
    'money in suspense',
    { difference: null, acknowledging: { cents: 1, suspenseCents: 1, refundRuns: false } },
    ['return'],
  ],
  [
    'money from suspense on its way back',
    { difference: null, acknowledging: { cents: 1, suspenseCents: 0, refundRuns: true } },
    [],
  ],
  ['one that has ended', { state: 'resolved' as const }, []],
  ['a write-off that waits', { state: 'awaiting_approval' as const }, ['approve', 'decline']],
  [
    'a write-off that waits, of the reader',
    { state: 'awaiting_approval' as const, askedByReader: true },
    ['decline'],
  ],
  [
    'one that waits, and that its sale has settled meanwhile',
    { state: 'awaiting_approval' as const, difference: null },
    ['decline'],
  ],
  [
    'what is in the books, and waits',
    {
      state: 'awaiting_approval' as const,
      difference: null,
      acknowledging: { cents: 1, suspenseCents: 0, refundRuns: false },
    },
    ['approve', 'decline'],
  ],
  [
    'what can be given up or acknowledged: it is acknowledged',
    { acknowledging: { cents: 1, suspenseCents: 0, refundRuns: false } },
    ['acknowledge'],
  ],
])('%s: what can be done', (_, change, actions) => {
  expect(breakActionsFor({ ...open, ...change })).toEqual(actions);
});
