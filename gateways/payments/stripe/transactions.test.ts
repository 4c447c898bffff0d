import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { providerTransaction } from './transactions.ts';

const transaction = (category: string, source: object | string | null = null) =>
  providerTransaction({
    id: 'txn_1',
    amount: -500,
    fee: 30,
    created: 1_800_000_000,
    reporting_category: category,
    source,
  } as Stripe.BalanceTransaction);

test('each category is a kind of transaction, and an unknown one an adjustment', () => {
  const kinds = {
    charge: 'payment',
    refund: 'refund',
    partial_capture_reversal: 'refund',
    refund_failure: 'refund_return',
    dispute: 'dispute',
    dispute_reversal: 'dispute_return',
    fee: 'fee',
    network_cost: 'fee',
    tax: 'fee',
    payout: 'bank_payout',
    payout_reversal: 'bank_payout_return',
    transfer: 'transfer',
    transfer_reversal: 'transfer_return',
    topup: 'adjustment',
    charge_failure: 'adjustment',
    other_adjustment: 'adjustment',
    constructor: 'adjustment',
  };
  for (const [category, kind] of Object.entries(kinds))
    expect(transaction(category), category).toMatchObject({
      ref: 'txn_1',
      kind,
      amountCents: -500,
      feeCents: 30,
      at: new Date(1_800_000_000_000),
    });
});

test.each<[object | string | null, object]>([
  [
    { object: 'charge', id: 'ch_1', payment_intent: 'pi_1', metadata: { sale_id: 'a' } },
    { paymentRef: 'pi_1', objectRef: null, saleId: 'a' },
  ],
  [
    { object: 'charge', id: 'ch_1', payment_intent: null, metadata: {}, transfer_group: 'sale_b' },
    { paymentRef: null, saleId: 'b' },
  ],
  [
    { object: 'refund', id: 're_1', payment_intent: { id: 'pi_1' }, metadata: { sale_id: 'a' } },
    { paymentRef: 'pi_1', objectRef: 're_1', saleId: 'a' },
  ],
  [
    { object: 'dispute', id: 'du_1', payment_intent: 'pi_1', metadata: {} },
    { paymentRef: 'pi_1', objectRef: 'du_1', saleId: null },
  ],
  [
    { object: 'transfer', id: 'tr_1', metadata: {}, transfer_group: 'sale_a' },
    { paymentRef: null, objectRef: 'tr_1', saleId: 'a' },
  ],
  [
    { object: 'transfer_reversal', id: 'trr_1', transfer: 'tr_1', metadata: {} },
    { objectRef: 'tr_1', saleId: null },
  ],
  [
    { object: 'payout', id: 'po_1', metadata: {} },
    { paymentRef: null, objectRef: 'po_1', saleId: null },
  ],
  ['src_1', { paymentRef: null, objectRef: 'src_1', saleId: null }],
  [null, { paymentRef: null, objectRef: null, saleId: null }],
])('names what %j is about', (source, expected) => {
  expect(transaction('charge', source)).toMatchObject({ checkoutRef: null, ...expected });
});
