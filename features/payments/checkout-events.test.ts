import { describe, expect, it } from 'vitest';
import type { SaleState } from '#features/sales/model.ts';
import type { CheckoutState, CheckoutStatus } from '#gateways/payments/port.ts';
import { checkoutEvents, type RecordedSale } from './checkout-events.ts';

const begun: SaleState = { payment: 'pending', escrow: 'pending', payout: null };
const submitted: SaleState = { ...begun, payment: 'processing' };
const held: SaleState = { payment: 'completed', escrow: 'in_escrow', payout: null };
const failed: SaleState = { payment: 'failed', escrow: 'cancelled', payout: null };
const returned: SaleState = { payment: 'refunded', escrow: 'cancelled', payout: null };

const recordedSale = (state: SaleState, change: Partial<RecordedSale> = {}): RecordedSale => ({
  saleId: 'sale',
  state,
  totalCents: 100_00,
  livemode: false,
  disputes: new Map(),
  available: true,
  ...change,
});
const checkout = (status: CheckoutStatus, change: Partial<CheckoutState> = {}): CheckoutState => ({
  ref: 'cs',
  url: null,
  status,
  saleId: 'sale',
  amountCents: 100_00,
  currency: 'usd',
  livemode: false,
  feeCents: null,
  paymentRef: null,
  receiptUrl: null,
  txHash: null,
  paidWith: null,
  network: null,
  expiresAt: new Date(0),
  refunds: [],
  disputes: [],
  ...change,
});
const events = (...input: Parameters<typeof checkoutEvents>) =>
  checkoutEvents(...input).map(({ event }) => event);

describe("sale events from a checkout's state", () => {
  it.each<[CheckoutStatus, SaleState, string[]]>([
    ['open', begun, []],
    ['open', submitted, []],
    ['open', failed, []],
    ['processing', begun, ['submit_payment']],
    ['processing', submitted, []],
    ['processing', failed, []],
    ['paid', begun, ['confirm_payment']],
    ['paid', submitted, ['confirm_payment']],
    ['paid', failed, ['confirm_refused_payment']],
    ['paid', held, []],
    ['paid', returned, []],
    ['failed', begun, ['fail_payment']],
    ['failed', submitted, ['fail_payment']],
    ['failed', failed, []],
    ['failed', held, []],
    ['expired', begun, ['expire_checkout']],
    ['expired', submitted, ['expire_checkout']],
    ['expired', failed, []],
    ['canceled', begun, ['expire_checkout']],
    ['canceled', failed, []],
    ['canceled', returned, []],
  ])('%s, for %j: %j', (status, state, expected) => {
    expect(events(recordedSale(state), checkout(status))).toEqual(expected);
  });

  it('carries a note for the history', () => {
    const note = (state: SaleState, status: CheckoutStatus, change: Partial<RecordedSale> = {}) =>
      checkoutEvents(recordedSale(state, change), checkout(status)).map((event) => event.note);
    expect(note(begun, 'processing')).toEqual([null]);
    expect(note(begun, 'paid')).toEqual([null]);
    expect(note(begun, 'failed')).toEqual(['The payment failed.']);
    expect(note(begun, 'expired')).toEqual(['The checkout expired.']);
    expect(note(begun, 'canceled')).toEqual(['The checkout was closed.']);
    expect(note(failed, 'paid')).toEqual(['The payment arrived after the purchase had ended.']);
    expect(note(begun, 'paid', { available: false })).toEqual(['The property could not be sold any more.']);
  });

  it('a payment for a property that is no longer available is refunded', () => {
    expect(events(recordedSale(begun, { available: false }), checkout('paid'))).toEqual([
      'confirm_refused_payment',
    ]);
    expect(events(recordedSale({ ...begun, escrow: 'cancelled' }), checkout('paid'))).toEqual([
      'confirm_refused_payment',
    ]);
    expect(events(recordedSale({ ...begun, payment: 'failed' }), checkout('paid'))).toEqual([
      'confirm_refused_payment',
    ]);
  });

  it.each<[string, Partial<CheckoutState>]>([
    ['the sale', { saleId: 'another' }],
    ['the sale', { saleId: null }],
    ['the amount', { amountCents: 100_01 }],
    ['the amount', { amountCents: 99_99 }],
    ['the currency', { currency: 'eur' }],
    ['the mode', { livemode: true }],
    [
      'the sale, the amount, the currency, the mode',
      { saleId: null, amountCents: 1, currency: 'x', livemode: true },
    ],
  ])('paid, but %s differs: the sale is held for review', (what, change) => {
    for (const state of [begun, submitted, failed])
      expect(checkoutEvents(recordedSale(state), checkout('paid', change))).toEqual([
        { event: 'hold_mismatch', note: `The payment differs from what was asked in ${what}.` },
      ]);
    expect(events(recordedSale(begun), checkout('processing', change))).toEqual(['submit_payment']);
  });

  describe('disputes', () => {
    const disputed = (status: 'open' | 'won' | 'lost') =>
      checkout('paid', {
        disputes: [
          {
            ref: 'dp',
            kind: 'chargeback',
            status,
            amountCents: 100_00,
            returnedCents: 0,
            feeCents: null,
            reason: 'fraudulent',
            evidenceDueAt: null,
          },
        ],
      });
    const recorded = (status: string) => recordedSale(held, { disputes: new Map([['dp', status]]) });
    const about = { note: 'fraudulent', disputeRef: 'dp' };

    it('are opened once and decided once', () => {
      expect(checkoutEvents(recordedSale(held), disputed('open'))).toEqual([
        { event: 'open_dispute', ...about },
      ]);
      expect(checkoutEvents(recorded('open'), disputed('open'))).toEqual([]);
      expect(checkoutEvents(recorded('open'), disputed('won'))).toEqual([{ event: 'win_dispute', ...about }]);
      expect(checkoutEvents(recorded('open'), disputed('lost'))).toEqual([
        { event: 'lose_dispute', ...about },
      ]);
      expect(checkoutEvents(recorded('won'), disputed('won'))).toEqual([]);
      expect(checkoutEvents(recorded('lost'), disputed('lost'))).toEqual([]);
    });

    it('that were decided before we learned of them are opened first, after the payment', () => {
      expect(events(recordedSale(held), disputed('lost'))).toEqual(['open_dispute', 'lose_dispute']);
      expect(events(recordedSale(begun), disputed('won'))).toEqual([
        'confirm_payment',
        'open_dispute',
        'win_dispute',
      ]);
    });

    it('are distinguished by their reference', () => {
      const other = recordedSale(held, { disputes: new Map([['another', 'won']]) });
      expect(events(other, disputed('open'))).toEqual(['open_dispute']);
    });
  });
});
