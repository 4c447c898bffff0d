import { describe, expect, it } from 'vitest';
import type { Entry } from '#features/ledger/balances.ts';
import {
  type BookedRefund,
  chargedBackCents,
  nextRefund,
  owedWithout,
  paidBack,
  paidOf,
  pendingParts,
  type RefundTerms,
  refundable,
  refundOf,
} from './sale-books.ts';

const paid: Entry = {
  key: 'paid',
  kind: 'L1',
  postings: [
    { account: 'clearing', cents: 110_00 },
    { account: 'escrow_held', cents: -100_00 },
    { account: 'fees_held', cents: -10_00 },
  ],
};
const onTop: Entry = {
  key: 'suspense:11500',
  kind: 'L6',
  postings: [
    { account: 'clearing', cents: 5_00 },
    { account: 'suspense', cents: -5_00 },
  ],
};
const refund = (change: Partial<BookedRefund> = {}): BookedRefund => ({
  key: 'refund:sale:0',
  ref: null,
  status: 'pending',
  amountCents: 33_00,
  parts: { baseCents: 30_00, feesCents: 2_00, suspenseCents: 1_00 },
  origin: 'platform',
  reason: 'Agreed',
  ...change,
});
const cancelled = { escrow: 'cancelled', propertyGone: false } as const;
const held = { escrow: 'in_escrow', propertyGone: false } as const;
const parts = (baseCents: number, feesCents: number, suspenseCents: number) => ({
  baseCents,
  feesCents,
  suspenseCents,
});

describe('what can be refunded', () => {
  it('is what is left, less what is on its way', () => {
    const entries = [paid, onTop];
    expect(refundable({ entries, refunds: [] })).toEqual(parts(100_00, 10_00, 5_00));
    expect(refundable({ entries, refunds: [refund()] })).toEqual(parts(70_00, 8_00, 4_00));
    const over = ['succeeded', 'failed'] as const;
    expect(refundable({ entries, refunds: over.map((status) => refund({ status })) })).toEqual(
      parts(100_00, 10_00, 5_00),
    );
    const more = refund({ parts: parts(100_01, 10_01, 5_01) });
    expect(refundable({ entries, refunds: [more] })).toEqual(parts(0, 0, 0));
    expect(pendingParts([refund(), refund(), refund({ status: 'failed' })])).toEqual(
      parts(60_00, 4_00, 2_00),
    );
  });
});

describe('the refund that is owed', () => {
  it('of a cancelled sale is everything held that is not on its way', () => {
    const books = { entries: [paid, onTop], refunds: [refund()] };
    expect(nextRefund('sale', cancelled, books)).toEqual({
      key: 'refund:sale:1',
      parts: parts(70_00, 8_00, 4_00),
      amountCents: 82_00,
    });
    expect(nextRefund('sale', cancelled, { entries: [], refunds: [] })).toBeNull();
  });

  it('of any other is money that was never assigned', () => {
    expect(nextRefund('sale', held, { entries: [paid, onTop], refunds: [] })).toEqual({
      key: 'refund:sale:0',
      parts: parts(0, 0, 5_00),
      amountCents: 5_00,
    });
    expect(nextRefund('sale', held, { entries: [paid], refunds: [] })).toBeNull();
  });

  it('after one that failed is the same again, as far as it is still there', () => {
    const books = { entries: [paid, onTop], refunds: [refund({ status: 'failed' })] };
    expect(nextRefund('sale', held, books, parts(30_00, 2_00, 1_00))).toMatchObject({
      key: 'refund:sale:1',
      parts: parts(30_00, 2_00, 1_00),
    });
    expect(nextRefund('sale', held, books, parts(200_00, 20_00, 6_00))?.parts).toEqual(
      parts(100_00, 10_00, 5_00),
    );
  });

  it('of a released sale whose property is gone is everything that is not on its way', () => {
    const gone = { escrow: 'completed', propertyGone: true } as const;
    const books = { entries: [paid, onTop], refunds: [refund()] };
    expect(nextRefund('sale', gone, books)?.parts).toEqual(parts(70_00, 8_00, 4_00));
    expect(nextRefund('sale', gone, books, parts(1_00, 0, 0))?.parts).toEqual(parts(70_00, 8_00, 4_00));
  });

  it('is numbered by those that we asked for', () => {
    const refunds = [refund({ origin: 'provider', key: 'provider:re' }), refund({ status: 'succeeded' })];
    expect(refundOf('sale', { entries: [], refunds }, parts(1, 0, 0))?.key).toBe('refund:sale:1');
    expect(refundOf('sale', { entries: [], refunds }, parts(0, 0, 0))).toBeNull();
  });
});

it('what was paid is told apart from the price: what is left of it, and what has gone back', () => {
  const back = (account: 'suspense' | 'escrow_held', cents: number): Entry => ({
    key: 'refunded:0',
    kind: 'L4',
    postings: [
      { account, cents },
      { account: 'clearing', cents: -cents },
    ],
  });
  const after = (...entries: Entry[]) => paidBack({ entries, refunds: [refund()] });
  expect(after(paid, onTop)).toEqual({ leftCents: 115_00, sentBackCents: 0 });
  expect(after(paid, onTop, back('escrow_held', 30_00))).toEqual({ leftCents: 85_00, sentBackCents: 30_00 });
  expect(after(onTop, back('suspense', 5_00))).toEqual({ leftCents: 0, sentBackCents: 5_00 });
});

describe('what the buyer has paid, and what has gone back', () => {
  const entry = (key: string, ...postings: Entry['postings']): Entry => ({ key, kind: 'L6', postings });
  const writtenOff = entry(
    'accept',
    { account: 'write_offs', cents: 25_00 },
    { account: 'suspense', cents: -25_00 },
  );
  const ended = entry(
    'shortfall-ended',
    { account: 'escrow_held', cents: 25_00 },
    { account: 'write_offs', cents: -25_00 },
  );
  const surplusBack: Entry = {
    ...entry('back', { account: 'suspense', cents: 5_00 }, { account: 'clearing', cents: -5_00 }),
    kind: 'L4',
  };
  const of = (returnedCents: number, ...entries: Entry[]) =>
    paidOf({ entries, refunds: [] }, { totalCents: 110_00, returnedCents });

  it.each([
    ['a price that was paid', 0, [paid], { paidCents: 110_00, refundedCents: 0 }],
    [
      'one that came with more, which has gone back',
      0,
      [paid, onTop, surplusBack],
      { paidCents: 110_00, refundedCents: 0 },
    ],
    ['one of which something has gone back', 30_00, [paid], { paidCents: 110_00, refundedCents: 30_00 }],
    ['one of which something was written off', 0, [writtenOff, paid], { paidCents: 85_00, refundedCents: 0 }],
    ['the same, refunded', 110_00, [writtenOff, paid, ended], { paidCents: 85_00, refundedCents: 85_00 }],
  ])('is told of %s', (_what, returnedCents, entries, told) => {
    expect(of(returnedCents, ...entries)).toEqual({ isAccepted: true, ...told });
  });

  it('is what was received, and sent back, of a payment that nobody has accepted', () => {
    const received = { isAccepted: false, paidCents: 5_00 };
    expect(of(0, onTop)).toEqual({ ...received, refundedCents: 0 });
    expect(of(0, onTop, surplusBack)).toEqual({ ...received, refundedCents: 5_00 });
  });
});

describe('a refund that has not left', () => {
  const { key } = refund();
  const without = (terms: RefundTerms, entries: Entry[], ...refunds: BookedRefund[]) =>
    owedWithout('sale', terms, { entries, refunds }, key)?.parts;
  const all = refund({ amountCents: 110_00, parts: parts(100_00, 10_00, 0) });

  it('is owed by a cancellation, when it returns what was never assigned, and when the property is gone', () => {
    expect(without(cancelled, [paid], all)).toEqual(parts(100_00, 10_00, 0));
    expect(without(held, [paid], all)).toBeUndefined();
    expect(without(held, [paid, onTop], refund())).toEqual(parts(0, 0, 5_00));
    const released = { escrow: 'completed', propertyGone: false } as const;
    expect(without(released, [paid], all)).toBeUndefined();
    expect(without({ ...released, propertyGone: true }, [paid], all)).toEqual(parts(100_00, 10_00, 0));
  });

  it('is owed as far as it is left and not on its way in another one', () => {
    const other = refund({ key: 'refund:sale:1', amountCents: 30_00, parts: parts(30_00, 0, 0) });
    expect(without(cancelled, [paid], all, other)).toEqual(parts(70_00, 10_00, 0));
    const gone: Entry = {
      key: 'refunded:re',
      kind: 'L4',
      postings: [
        { account: 'clearing', cents: -1 },
        { account: 'escrow_held', cents: 1 },
      ],
    };
    expect(without(cancelled, [paid, gone], all)).toEqual(parts(99_99, 10_00, 0));
  });

  it('has a number of its own after one that was paid from our bank account', () => {
    const refunds = [refund({ origin: 'bank', status: 'succeeded' })];
    expect(refundOf('sale', { entries: [paid], refunds }, parts(1_00, 0, 0))?.key).toBe('refund:sale:1');
  });
});

it('what chargebacks have taken is what was lost less what came back', () => {
  const entry = (key: string, account: 'disputed' | 'clearing', cents: number): Entry => ({
    key,
    kind: 'L5',
    postings: [
      { account, cents },
      { account: 'escrow_held', cents: -cents },
    ],
  });
  const lost = entry('dispute-lost:dp', 'disputed', -30_00);
  const back = entry('dispute-regained:dp', 'clearing', 10_00);
  const open = entry('dispute:dp', 'disputed', 7_00);
  expect(chargedBackCents([paid])).toBe(0);
  expect(chargedBackCents([paid, open, lost])).toBe(30_00);
  expect(chargedBackCents([paid, open, lost, back])).toBe(20_00);
});
