import { describe, expect, it } from 'vitest';
import { DAY } from '#platform/durations.ts';
import { payoutRefusalText } from './display.ts';
import { type PayoutRefusal, payoutRefusals } from './model.ts';
import { decidePayout, type PayableSale, type PayableSeller } from './payout-decision.ts';
import { isRightMode } from './rules.ts';

const days = { card: 7, bank: 60, chain: 1 };
const releasedAt = new Date('2026-11-20T12:00:00Z');
const daysLater = (held: number) => new Date(releasedAt.getTime() + held * DAY);
const later = daysLater(100);
const seller: PayableSeller = {
  archived: false,
  suspended: false,
  method: 'stripe',
  stripeAccount: 'acct_1',
  transfersActive: true,
  paypalEmail: null,
  paypalConfirmed: false,
  holdUntil: null,
};
const payable: PayableSale = {
  escrow: 'completed',
  payout: 'pending',
  releasedAt,
  paidWith: 'card',
  frozen: false,
  disputed: false,
  refundRunning: false,
  rightMode: true,
  seller,
};
const decide = (change: Partial<PayableSale>, { now = later, isNothing = false } = {}) =>
  decidePayout({ ...payable, ...change }, { isNothing, days, now });
const of = (change: Partial<PayableSeller>): Partial<PayableSale> => ({ seller: { ...seller, ...change } });
const archived = { archived: true, method: null } as const;
const paypal = { method: 'paypal', paypalEmail: 'a@example.com', paypalConfirmed: true } as const;

describe('whether a seller can be paid', () => {
  it.each([
    [{}],
    [of(paypal)],
    [of({ holdUntil: later })],
    [of(archived)],
    [of({ ...archived, suspended: true, holdUntil: daysLater(101) })],
  ] as const)('%j: yes', (change) => {
    expect(decide(change)).toEqual({ ok: true });
  });

  it.each([
    [{ escrow: 'in_escrow', payout: null, releasedAt: null }, 'not_released'],
    [{ escrow: 'cancelled', payout: null }, 'not_released'],
    [{ releasedAt: null }, 'not_released'],
    [{ payout: 'processing' }, 'already_processing'],
    [{ payout: 'completed' }, 'not_open'],
    [{ payout: 'failed' }, 'not_open'],
    [{ payout: null }, 'not_open'],
    [{ frozen: true }, 'frozen'],
    [{ disputed: true }, 'disputed'],
    [{ refundRunning: true }, 'refund_running'],
  ] as const)('%j: %s, even when there is nothing to send', (change, refusal) => {
    expect(decide(change, { isNothing: true })).toEqual({ ok: false, refusal });
    expect(decide(change)).toEqual({ ok: false, refusal });
  });

  it.each([
    [{ seller: null }, 'no_seller'],
    [of({ suspended: true }), 'suspended'],
    [of({ method: null }), 'no_method'],
    [of({ stripeAccount: null, transfersActive: false }), 'no_stripe_account'],
    [of({ transfersActive: false }), 'account_inactive'],
    [of({ ...paypal, paypalEmail: null }), 'no_paypal_email'],
    [of({ ...paypal, paypalConfirmed: false }), 'paypal_unconfirmed'],
    [{ rightMode: false }, 'wrong_mode'],
  ] as const)('%j: %s, unless there is nothing to send', (change, refusal) => {
    expect(decide(change)).toEqual({ ok: false, refusal });
    expect(decide(change, { isNothing: true })).toEqual({ ok: true });
  });

  it('not before what the buyer paid with is final, nor before a new destination has been held', () => {
    const now = new Date(daysLater(7).getTime() - 1);
    expect(decide({}, { now })).toEqual({ ok: false, refusal: 'risk_hold', until: daysLater(7) });
    expect(decide({}, { now: daysLater(7) })).toEqual({ ok: true });
    const held = of({ holdUntil: daysLater(9) });
    expect(decide(held, { now: daysLater(8) })).toEqual({
      ok: false,
      refusal: 'cooling_down',
      until: daysLater(9),
    });
    expect(decide(held, { now: daysLater(9) })).toEqual({ ok: true });
    expect(decide(held, { now, isNothing: true })).toEqual({ ok: true });
  });
});

it('live money is sent by live keys or by hand, test money by test keys, and by hand where all money is', () => {
  const [real, sandbox] = [{ sandboxPayments: false }, { sandboxPayments: true }];
  const [live, test] = [{ livemode: true }, { livemode: false }];
  const ways = [live, test, null];
  expect(ways.map((port) => isRightMode(real, true, port))).toEqual([true, false, true]);
  expect(ways.map((port) => isRightMode(real, false, port))).toEqual([false, true, false]);
  expect(isRightMode(sandbox, false, null)).toBe(true);
});

const saleId = '0198a1b2-0000-7000-8000-000000000001';
const text = (refusal: PayoutRefusal) =>
  payoutRefusalText(refusal, { sellerName: 'Dana Reyes', saleId, until: daysLater(7) });

it.each([
  ['no_method', 'Seller Dana Reyes has not set their preferred payout method'],
  ['no_stripe_account', 'Seller Dana Reyes has not connected their Stripe account'],
  ['no_paypal_email', 'Seller Dana Reyes has not provided their PayPal email'],
  ['no_seller', `Seller information not found for sale ${saleId}`],
  ['risk_hold', "The buyer's payment can still be taken back. It can be paid from Nov 27, 2026."],
] as const)('%s is said as: %s', (refusal, words) => {
  expect(text(refusal)).toBe(words);
});

it('every refusal has words of its own', () => {
  expect(new Set(payoutRefusals.map(text)).size).toBe(payoutRefusals.length);
});
