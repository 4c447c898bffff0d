import { describe, expect, it } from 'vitest';
import type { EntryKind } from '#features/ledger/model.ts';
import type { SaleEvent } from '#features/sales/model.ts';
import type { CheckoutState, DisputeState } from '#gateways/payments/port.ts';
import {
  begun,
  checkoutAnswer,
  disputeState,
  failed,
  held,
  postings,
  refundState,
  saleImage,
  TOTAL,
} from '#tests/support/fixtures/sale-image.ts';
import { planSync } from './plan-sync.ts';
import type { Change, SaleImage } from './sale-image.ts';

const paid = () => planSync(saleImage(begun), checkoutAnswer('paid')).image;
const changes = (sale: SaleImage, change: Partial<CheckoutState> = {}): readonly Change[] =>
  planSync(sale, checkoutAnswer('paid', change)).changes;
/** The sale after each of these states of a dispute was heard. */
const afterDispute = (...states: Partial<DisputeState>[]) =>
  states.reduce(
    (sale, state) => planSync(sale, checkoutAnswer('paid', { disputes: [disputeState(state)] })).image,
    paid(),
  );
const onDispute = (sale: SaleImage, change: Partial<DisputeState>) =>
  changes(sale, { disputes: [disputeState(change)] });
/** A released or cancelled sale with refunds that we asked for. */
const refunding = (
  sale: SaleImage,
  cents: number,
  change: Partial<SaleImage['refunds'][number]> = {},
): SaleImage => ({
  ...sale,
  refunds: [
    ...sale.refunds,
    {
      key: `refund:sale:${sale.refunds.length}`,
      ref: null,
      status: 'pending',
      amountCents: cents,
      parts: { baseCents: cents, feesCents: 0, suspenseCents: 0 },
      origin: 'platform',
      reason: 'Agreed',
      ...change,
    },
  ],
});
const onRefund = (sale: SaleImage, change: Parameters<typeof refundState>[0]) =>
  changes(sale, { refunds: [refundState({ key: 'refund:sale:0', ...change })] });

const entry = (
  key: string,
  kind: EntryKind,
  memo: string,
  cents: Parameters<typeof postings>[0],
): Change => ({ type: 'entry', entry: { key, kind, postings: postings(cents) }, memo });
const event = (name: SaleEvent, note: string | null, details: object = {}) => ({
  type: 'event',
  event: name,
  note,
  ...details,
});
const base = (baseCents: number) => ({ baseCents, feesCents: 0, suspenseCents: 0 });
const all = { baseCents: 100_00, feesCents: 10_00, suspenseCents: 0 };

describe('what is recorded of a payment', () => {
  const received = entry('paid', 'L1', 'Payment received', {
    clearing: TOTAL,
    escrow_held: -100_00,
    fees_held: -10_00,
  });
  const setAside = (cents: number, step = cents) =>
    entry(`suspense:${step}`, 'L6', 'Money received, set aside', { clearing: cents, suspense: -cents });

  it('that was asked for: price and fees apart, and what the provider keeps', () => {
    expect(changes(saleImage(begun), { feeCents: 3_00 })).toEqual([
      received,
      event('confirm_payment', null),
      { type: 'provider_fee', cents: 3_00 },
      entry('cost', 'L1', 'Processing cost', { processing_cost: 3_00, clearing: -3_00 }),
    ]);
  });

  it.each([
    ['failed', failed],
    ['cancelled', { ...begun, escrow: 'cancelled' as const }],
  ])('of a purchase that has %s: it goes back', (_, state) => {
    expect(changes(saleImage(state))).toEqual([
      received,
      event('confirm_refused_payment', 'The payment arrived after the purchase had ended.'),
    ]);
  });

  it('that differs, or is in doubt: unassigned, with a break', () => {
    const mismatch = (detail: string, actualCents: number) => [
      { type: 'break', kind: 'payment_mismatch', subject: 'sale', detail, expectedCents: TOTAL, actualCents },
      event('hold_mismatch', detail),
    ];
    expect(changes(saleImage(begun), { amountCents: 5 })).toEqual([
      setAside(5),
      ...mismatch('The payment differs from what was asked in the amount.', 5),
    ]);
    expect(changes(saleImage(begun, { frozen: true }))).toEqual([
      setAside(TOTAL),
      ...mismatch('The payment arrived while the sale was frozen.', TOTAL),
    ]);
  });

  it('of which more arrives afterwards: the rest unassigned, with a break', () => {
    expect(changes(paid(), { amountCents: TOTAL + 5 })).toEqual([
      setAside(5, TOTAL + 5),
      {
        type: 'break',
        kind: 'refused_move',
        subject: `received:${TOTAL + 5}:sale`,
        detail: 'More money arrived after the payment had been settled.',
        expectedCents: TOTAL,
        actualCents: TOTAL + 5,
      },
    ]);
  });
});

describe('what is recorded of a dispute', () => {
  const recorded = (change: object, isNew = false) => ({
    type: 'dispute',
    dispute: {
      ref: 'dp',
      kind: 'chargeback',
      status: 'open',
      amountCents: TOTAL,
      feeCents: 0,
      withdrawnCents: 0,
      ...change,
    },
    isNew,
  });
  const taken = entry('disputed:dp', 'L5', 'Payment disputed', { disputed: TOTAL, clearing: -TOTAL });
  const fee = entry('dispute-fee:dp', 'L5', 'Dispute fee', { dispute_fees: 15_00, clearing: -15_00 });
  const opened = (amountCents: number) => event('open_dispute', 'fraudulent', { amountCents });

  it('that takes the payment, and a fee', () => {
    expect(onDispute(paid(), { feeCents: 15_00 })).toEqual([
      taken,
      recorded({ withdrawnCents: TOTAL }, true),
      opened(TOTAL),
      fee,
      recorded({ withdrawnCents: TOTAL, feeCents: 15_00 }),
    ]);
    expect(onDispute(afterDispute({}), { feeCents: 15_00 })).toEqual([
      fee,
      recorded({ withdrawnCents: TOTAL, feeCents: 15_00 }),
    ]);
  });

  it('that is won, or lost in whole or in part', () => {
    const back = (cents: number) =>
      entry('dispute-returned:dp', 'L5', 'Disputed money returned', { disputed: -cents, clearing: cents });
    expect(onDispute(afterDispute({}), { status: 'won' })).toEqual([
      back(TOTAL),
      recorded({ status: 'won' }),
      event('win_dispute', 'fraudulent', { amountCents: TOTAL }),
    ]);
    const lost = (amountCents: number) => [
      recorded({ status: 'lost' }),
      event('lose_dispute', 'fraudulent', { amountCents }),
    ];
    expect(onDispute(afterDispute({}), { status: 'lost' })).toEqual([
      entry('dispute-lost:dp', 'L5', 'Dispute lost', {
        escrow_held: 100_00,
        fees_held: 10_00,
        disputed: -TOTAL,
      }),
      ...lost(TOTAL),
    ]);
    expect(onDispute(afterDispute({}), { status: 'lost', returnedCents: 40_00 })).toEqual([
      back(40_00),
      entry('dispute-lost:dp', 'L5', 'Dispute lost', { escrow_held: 70_00, disputed: -70_00 }),
      ...lost(70_00),
    ]);
  });

  it('that was lost and comes back, a part at a time', () => {
    const inPart = { status: 'lost', returnedCents: 40_00 } as const;
    const regained = (step: string, cents: Parameters<typeof postings>[0]) =>
      entry(`dispute-regained:dp${step}`, 'L5', 'Lost dispute returned', cents);
    const reversed = (amountCents: number) => event('reverse_dispute', 'fraudulent', { amountCents });
    expect(onDispute(afterDispute({}, { status: 'lost' }), inPart)).toEqual([
      regained('', { escrow_held: -30_00, fees_held: -10_00, clearing: 40_00 }),
      recorded({ status: 'lost' }),
      reversed(40_00),
    ]);
    expect(onDispute(afterDispute({}, { status: 'lost' }, inPart), { status: 'won' })).toEqual([
      regained(':1', { escrow_held: -70_00, clearing: 70_00 }),
      recorded({ status: 'won' }),
      reversed(70_00),
    ]);
    // What came back when it was lost does not come back again.
    expect(onDispute(afterDispute({}, inPart), { status: 'won' })).toEqual([
      regained('', { escrow_held: -70_00, clearing: 70_00 }),
      recorded({ status: 'won' }),
      reversed(70_00),
    ]);
    expect(onDispute(afterDispute({}, inPart), inPart)).toEqual([]);
    expect(onDispute(afterDispute({}, { status: 'won' }), { ...inPart, status: 'won' })).toEqual([]);
  });

  it('that is a question of the bank: its state and nothing else, until it becomes a dispute', () => {
    const inquiry = { kind: 'inquiry' } as const;
    const answered = { ...inquiry, status: 'won' } as const;
    expect(onDispute(paid(), inquiry)).toEqual([recorded(inquiry, true)]);
    expect(onDispute(afterDispute(inquiry), inquiry)).toEqual([]);
    expect(onDispute(afterDispute(inquiry), answered)).toEqual([recorded(answered)]);
    expect(onDispute(afterDispute(inquiry, answered), inquiry)).toEqual([]);
    expect(onDispute(afterDispute(inquiry, answered), { ...inquiry, status: 'lost' })).toEqual([]);
    expect(onDispute(afterDispute({}), answered)).toEqual([]);
    expect(onDispute(afterDispute(inquiry), {})).toEqual([
      taken,
      recorded({ withdrawnCents: TOTAL }),
      opened(TOTAL),
    ]);
  });
});

describe('what is recorded of a refund', () => {
  const asked = (change: object) => ({
    type: 'refund',
    refund: {
      key: 'refund:sale:0',
      ref: 're',
      status: 'succeeded',
      amountCents: 40_00,
      parts: base(40_00),
      origin: 'platform',
      reason: 'Agreed',
      ...change,
    },
    isNew: false,
  });
  const left = (step: string, cents: Parameters<typeof postings>[0]) =>
    entry(`refunded:${step}`, 'L4', 'Payment refunded', cents);
  const part = left('0', { escrow_held: 40_00, clearing: -40_00 });
  const whole = left('0', { escrow_held: 100_00, fees_held: 10_00, clearing: -TOTAL });
  const cancelled = (): SaleImage => ({ ...paid(), state: { ...held, escrow: 'cancelled' } });
  const settled = (note: string, amountCents: number) => event('settle_refund', note, { amountCents });

  it('in part: the sale goes on, unless it is cancelled', () => {
    expect(onRefund(refunding(paid(), 40_00), { amountCents: 40_00 })).toEqual([
      asked({}),
      part,
      event('settle_partial_refund', 'Agreed', { amountCents: 40_00 }),
    ]);
    expect(onRefund(refunding(cancelled(), 40_00), { amountCents: 40_00 })).toEqual([asked({}), part]);
  });

  it('of which less arrived than was asked for: the rest is asked for again', () => {
    expect(onRefund(refunding(paid(), 40_00), { amountCents: 30_00 })).toEqual([
      asked({ amountCents: 30_00, parts: base(30_00) }),
      left('0', { escrow_held: 30_00, clearing: -30_00 }),
      event('fail_refund', 'Agreed', { amountCents: 10_00, again: base(10_00) }),
      event('settle_partial_refund', 'Agreed', { amountCents: 30_00 }),
    ]);
  });

  it('of everything: the sale is settled with the last one, cancelled or not', () => {
    expect(onRefund(refunding(paid(), TOTAL, { parts: all }), {})).toEqual([
      asked({ amountCents: TOTAL, parts: all }),
      whole,
      settled('Agreed', TOTAL),
    ]);
    expect(onRefund(refunding(cancelled(), TOTAL, { parts: all }), {})).toEqual([
      asked({ amountCents: TOTAL, parts: all }),
      whole,
      settled('Agreed', TOTAL),
    ]);
    const fees = { baseCents: 0, feesCents: 10_00, suspenseCents: 0 };
    const two = refunding(refunding(cancelled(), 100_00), 10_00, { parts: fees, reason: 'Rest' });
    const first = refundState({ key: 'refund:sale:0', amountCents: 100_00 });
    const second = refundState({ ref: 're_1', key: 'refund:sale:1', amountCents: 10_00 });
    expect(changes(two, { refunds: [first, second] })).toEqual([
      asked({ amountCents: 100_00, parts: base(100_00) }),
      left('0', { escrow_held: 100_00, clearing: -100_00 }),
      asked({ key: 'refund:sale:1', ref: 're_1', amountCents: 10_00, parts: fees, reason: 'Rest' }),
      left('1', { fees_held: 10_00, clearing: -10_00 }),
      settled('Rest', TOTAL),
    ]);
  });

  it('that comes back, in whole or in part: it is asked for again', () => {
    const answer = checkoutAnswer('paid', {
      refunds: [refundState({ key: 'refund:sale:0', amountCents: 40_00 })],
    });
    const sent = planSync(refunding(paid(), 40_00), answer).image;
    expect(onRefund(sent, { amountCents: 40_00, status: 'failed' })).toEqual([
      asked({ status: 'failed' }),
      entry('refund-returned:0', 'L4', 'Refund came back', { escrow_held: -40_00, clearing: 40_00 }),
      event('return_refund', 'Agreed', { amountCents: 40_00, again: base(40_00) }),
    ]);
    expect(onRefund(sent, { amountCents: 25_00 })).toEqual([
      asked({ amountCents: 25_00, parts: base(25_00) }),
      entry('refund-returned:0:2500', 'L4', 'Refund came back', { escrow_held: -15_00, clearing: 15_00 }),
      event('return_refund', 'Agreed', { amountCents: 15_00, again: base(15_00) }),
    ]);
  });

  it('that was made at the provider: a break, and nothing is asked for again', () => {
    const found = (status: string) =>
      asked({ key: 'provider:re', status, origin: 'provider', reason: 'Refunded at the provider.' });
    const detail = 'The provider reports the refund re, which was not asked for here.';
    const noticed = [
      { ...found('pending'), isNew: true },
      {
        type: 'break',
        kind: 'unexpected_refund',
        subject: 're',
        detail,
        expectedCents: 0,
        actualCents: -40_00,
      },
      event('freeze_sale', detail),
    ];
    const answer = (status: 'pending' | 'succeeded' | 'failed', key: string | null = null) => ({
      refunds: [refundState({ amountCents: 40_00, status, key })],
    });
    expect(changes(paid(), answer('pending'))).toEqual(noticed);
    const arrived = [found('succeeded'), left('re', { escrow_held: 40_00, clearing: -40_00 })];
    expect(changes(paid(), answer('succeeded'))).toEqual([...noticed, ...arrived]);
    // Beside another one that we asked for.
    const running = refunding(paid(), 10_00, { ref: 're_0' });
    expect(changes(running, answer('succeeded'))).toEqual([...noticed, ...arrived]);
    const sale = planSync(paid(), checkoutAnswer('paid', answer('succeeded'))).image;
    expect(changes(sale, answer('failed'))).toEqual([
      found('failed'),
      entry('refund-returned:re', 'L4', 'Refund came back', { escrow_held: -40_00, clearing: 40_00 }),
      event('return_refund', 'Refunded at the provider.', { amountCents: 40_00 }),
    ]);
  });

  it('that was made at the provider and fails: what a cancelled sale owes is asked for', () => {
    const reason = 'Refunded at the provider.';
    const found = { key: 'provider:re', ref: 're', origin: 'provider', reason } as const;
    const failure = asked({ ...found, status: 'failed' });
    const whenItFails = (sale: SaleImage) =>
      onRefund(refunding(sale, 40_00, found), { amountCents: 40_00, status: 'failed', key: null });
    const rest = { ref: 're_0', parts: { ...all, baseCents: 60_00 } };
    expect(whenItFails(refunding(cancelled(), 70_00, rest))).toEqual([
      failure,
      event('fail_refund', reason, { amountCents: 40_00 }),
    ]);
    // All of it is on its way already, or the sale goes on.
    expect(whenItFails(refunding(cancelled(), TOTAL, { ref: 're_0', parts: all }))).toEqual([failure]);
    expect(whenItFails(paid())).toEqual([failure]);
  });

  it('settles nothing while an administrator is to look at it, or money is left', () => {
    const whole = { refunds: [refundState({})] };
    const unexpected = planSync(cancelled(), checkoutAnswer('paid', whole)).image;
    expect(unexpected.state.payment).toBe('completed');
    expect(changes(unexpected, whole)).toEqual([]);
    const looked = { ...unexpected, breaks: unexpected.breaks.map((one) => ({ ...one, open: false })) };
    expect(changes(looked, whole)).toEqual([settled('Refunded at the provider.', TOTAL)]);
    const kept = refunding(looked, 5_00, { status: 'pending' });
    expect(changes(kept, whole)).toEqual([]);
    const inEscrow = { ...looked, state: held };
    expect(changes(inEscrow, whole)).toEqual([]);
    const lostAll = afterDispute({}, { status: 'lost' });
    expect(changes({ ...lostAll, state: { ...held, escrow: 'cancelled' } })).toEqual([
      event('settle_refund', null),
    ]);
  });
});

describe('a refund that the provider tells of', () => {
  const told = (sale: SaleImage, ref: string, key: string) => {
    const refunds = [refundState({ ref, key, status: 'pending', amountCents: 10_00 })];
    return planSync(sale, checkoutAnswer('paid', { refunds })).image.refunds.map((one) => [
      one.origin,
      one.ref,
    ]);
  };

  it('is that of ours whose key it bears', () => {
    const two = refunding(refunding(paid(), 10_00), 10_00);
    expect(told(two, 're_1', 'refund:sale:1')).toEqual([
      ['platform', null],
      ['platform', 're_1'],
    ]);
  });

  it('is not ours when ours is known by another reference: the provider had forgotten the key', () => {
    const sent = refunding(paid(), 10_00, { ref: 're_1' });
    expect(told(sent, 're_2', 'refund:sale:0')).toEqual([
      ['platform', 're_1'],
      ['provider', 're_2'],
    ]);
  });
});
