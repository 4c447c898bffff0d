import { describe, expect, it } from 'vitest';
import { booking, DAY_0, later, posting, statement } from '#tests/support/fixtures/statements.ts';
import type { Booking, ClearingPosting, NamedSale, Statement } from './facts.ts';
import { reconcileStatement } from './findings.ts';

const found = (change: Partial<Statement>) =>
  reconcileStatement(statement(change)).findings.map(
    ({ kind, bookingId, postingIds, theirsCents, oursCents }) => ({
      kind,
      bookingId,
      postingIds,
      theirsCents,
      oursCents,
    }),
  );
const kinds = (change: Partial<Statement>) =>
  reconcileStatement(statement(change)).findings.map(({ kind }) => kind);
const withSale = (change: Partial<NamedSale>): Pick<Statement, 'sales'> => ({
  sales: new Map([
    ['sale', { accountId: 'account', totalCents: 10_000, refs: [], paymentSettled: false, ...change }],
  ]),
});
const fee = { kind: 'fee', amountCents: 0, feeCents: 320, open: ['fee'] } as const satisfies Partial<Booking>;
const feePosting = { kind: 'fee', cents: -320 } as const satisfies Partial<ClearingPosting>;

describe('what is wrong with a statement', () => {
  it.each<[string, Partial<Booking>, string]>([
    ['a payment nobody posted', {}, 'missing_message'],
    ['a payment of another amount than its sale', { amountCents: 9_000 }, 'wrong_amount'],
    ['a payment of no sale', { saleId: null }, 'orphan_charge'],
    ['a payment of a sale we do not know more of', { saleId: 'another' }, 'missing_message'],
    ['a payment in euro', { currency: 'eur' }, 'unknown_currency'],
    ['a refund', { kind: 'refund', amountCents: -500 }, 'unexpected_refund'],
    ['a dispute', { kind: 'dispute', amountCents: -500 }, 'dispute'],
    ['a dispute that was given back', { kind: 'dispute_return' }, 'missing_message'],
    ['a refund that came back', { kind: 'refund_return' }, 'missing_message'],
    ['a fee of a sale', { kind: 'fee', amountCents: -40 }, 'fee_drift'],
    ['a transfer', { kind: 'transfer', amountCents: -500 }, 'unknown_transaction'],
    ['a transfer that was reversed', { kind: 'transfer_return' }, 'transfer_reversed'],
    [
      'a transfer of no sale that was reversed',
      { kind: 'transfer_return', saleId: null },
      'unknown_transaction',
    ],
    ['an adjustment', { kind: 'adjustment' }, 'unknown_transaction'],
  ])('%s', (_name, change, kind) => {
    expect(kinds({ bookings: [booking(change)] })).toEqual([kind]);
  });

  it.each<[string, Partial<Booking>, number]>([
    ['a payment of no sale', { saleId: null }, 1],
    ['a foreign currency', { currency: 'eur' }, 1],
    ['a payment', {}, 0],
    ['a refund', { kind: 'refund', amountCents: -500 }, 0],
    ['a dispute', { kind: 'dispute', amountCents: -500 }, 0],
    ['an adjustment of no sale', { kind: 'adjustment', saleId: null }, 0],
    ['a fee of a payment', fee, 0],
  ])('%s on its first day: %#', (_name, change, count) => {
    const bookings = [booking(change)];
    expect(kinds({ bookings, now: later(1) })).toHaveLength(count);
    expect(kinds({ bookings, now: new Date(later(1).getTime() + 1) })).toHaveLength(1);
  });

  it('a payout that came back, where sellers are paid by PayPal', () => {
    const bookings = [booking({ kind: 'transfer_return' })];
    expect(kinds({ bookings, paysBy: 'paypal' })).toEqual(['payout_returned']);
  });

  it('no transfer that the seller has yet to claim, but one that came back unclaimed', () => {
    const bookings = [booking({ kind: 'transfer', amountCents: -500, refs: ['txn', 'item'] })];
    expect(kinds({ bookings, runningTransfers: new Set(['item']) })).toEqual([]);
    expect(kinds({ bookings, runningTransfers: new Set(['other']) })).toEqual(['unknown_transaction']);
    const back = [booking({ kind: 'transfer_return', refs: ['txn', 'item'] })];
    expect(kinds({ bookings: back, runningTransfers: new Set(['item']) })).toEqual(['transfer_reversed']);
  });

  it('a transfer of a sale that is paid through another account only when nobody posted it', () => {
    const transfer = { kind: 'transfer', amountCents: -500 } as const;
    const bookings = [booking(transfer)];
    const elsewhere = withSale({ accountId: 'other' });
    expect(kinds({ bookings, ...elsewhere })).toEqual(['unknown_transaction']);
    const postings = [posting({ ...transfer, cents: -500 })];
    expect(kinds({ bookings, postings, ...elsewhere })).toEqual([]);
  });

  it('counts the day from when it was first heard of', () => {
    expect(kinds({ bookings: [booking({ dueFrom: later(29) })] })).toEqual([]);
  });

  it('a sale that is paid through another account, or through none that is recorded', () => {
    const bookings = [booking({})];
    expect(kinds({ bookings, postings: [posting({})], ...withSale({ accountId: 'other' }) })).toContain(
      'mode_mix',
    );
    expect(kinds({ bookings, postings: [posting({})], ...withSale({ accountId: null }) })).toEqual([]);
  });

  it('a second payment, but not the first one', () => {
    const second = booking({ id: 'second', refs: ['second'], at: later(1) });
    expect(found({ bookings: [booking({}), second], postings: [posting({})] })).toMatchObject([
      { kind: 'duplicate_charge', bookingId: 'second' },
    ]);
    expect(kinds({ bookings: [second], ...withSale({ paymentSettled: true }) })).toEqual([
      'duplicate_charge',
    ]);
    expect(found({ bookings: [second, booking({})] })).toMatchObject([
      { kind: 'missing_message', bookingId: 'a booking' },
      { kind: 'duplicate_charge', bookingId: 'second' },
    ]);
    const refund = booking({ id: 'refund', kind: 'refund', amountCents: -10_000, refs: ['re'] });
    expect(kinds({ bookings: [refund, second] })).toEqual(['unexpected_refund', 'missing_message']);
  });

  it('the payment that bears the references of the sale is the first one', () => {
    const own = booking({ id: 'own', refs: ['pi of the sale'], at: later(2) });
    const { matches } = reconcileStatement(
      statement({
        bookings: [booking({}), own],
        postings: [posting({})],
        ...withSale({ refs: ['pi of the sale'] }),
      }),
    );
    expect(matches).toEqual([{ bookingId: 'own', parts: ['amount'], postingId: 1 }]);
  });

  it('another amount of the same thing: both sides are one break', () => {
    expect(found({ bookings: [booking({})], postings: [posting({ cents: 9_900 })] })).toEqual([
      {
        kind: 'wrong_amount',
        bookingId: 'a booking',
        postingIds: [1],
        theirsCents: 10_000,
        oursCents: 9_900,
      },
    ]);
  });

  it('is found at once by a reference, without one when nothing else can be expected', () => {
    const bookings = [booking({ refs: ['pi'] })];
    const now = later(1);
    expect(kinds({ bookings, now, postings: [posting({ cents: 1, ref: 'pi' })] })).toEqual(['wrong_amount']);
    expect(kinds({ bookings, now, postings: [posting({ cents: 1 })] })).toEqual([]);
    expect(kinds({ bookings, now, postings: [posting({ cents: 1, ref: 'other' })] })).toEqual([]);
  });

  it.each<[string, Partial<ClearingPosting>]>([
    ['another sale', { saleId: 'another' }],
    ['no sale', { saleId: null }],
    ['another kind', { kind: 'refund' }],
    ['another reference', { ref: 'other' }],
  ])('a posting of %s is not about it', (_name, change) => {
    const statementOf = { bookings: [booking({})], postings: [posting({ cents: 9_900, ...change })] };
    expect(found(statementOf)).toMatchObject([
      { kind: 'missing_message', postingIds: [] },
      { kind: 'missing_at_provider', postingIds: [1] },
    ]);
  });

  it('two bookings without a sale do not share a posting without one', () => {
    const adjustment = { kind: 'adjustment', saleId: null, amountCents: 5 } as const;
    expect(
      kinds({ bookings: [booking(adjustment)], postings: [posting({ ...adjustment, cents: 6 })] }),
    ).toEqual(['unknown_transaction', 'missing_at_provider']);
  });

  it('a fee that differs, whether apart or with its payment', () => {
    const off = { ...feePosting, id: 2, cents: -300 };
    expect(found({ bookings: [booking(fee)], postings: [posting(off)] })).toEqual([
      { kind: 'fee_drift', bookingId: 'a booking', postingIds: [2], theirsCents: -320, oursCents: -300 },
    ]);
    expect(
      found({ bookings: [booking({ kind: 'fee', amountCents: -320 })], postings: [posting(off)] }),
    ).toMatchObject([{ kind: 'fee_drift', postingIds: [2] }]);
    const whole = booking({ feeCents: 320, open: ['amount', 'fee'] });
    expect(found({ bookings: [whole], postings: [posting({ cents: 9_000 }), posting(off)] })).toEqual([
      {
        kind: 'wrong_amount',
        bookingId: 'a booking',
        postingIds: [1, 2],
        theirsCents: 9_680,
        oursCents: 8_700,
      },
    ]);
    expect(
      kinds({ bookings: [booking(fee)], now: later(1), postings: [posting({ ...off, ref: 'its own' })] }),
    ).toEqual(['fee_drift']);
  });

  it('a posting that was never booked, when its time is over', () => {
    const postings = [posting({})];
    expect(kinds({ postings, now: later(1) })).toEqual([]);
    expect(found({ postings, now: new Date(later(1).getTime() + 1) })).toEqual([
      { kind: 'missing_at_provider', bookingId: null, postingIds: [1], theirsCents: 0, oursCents: 10_000 },
    ]);
  });

  it('a fee that was never charged, of a payment that was made', () => {
    const postings = [posting(feePosting)];
    expect(kinds({ postings, ...withSale({ paymentSettled: true }) })).toEqual(['fee_drift']);
    expect(kinds({ postings })).toEqual(['missing_at_provider']);
    expect(kinds({ postings: [posting({ ...feePosting, saleId: null })] })).toEqual(['missing_at_provider']);
    expect(kinds({ postings: [posting({})], ...withSale({ paymentSettled: true }) })).toEqual([
      'missing_at_provider',
    ]);
  });

  it('a fee alone does not make a payment', () => {
    const postings = [posting(feePosting), posting({ ...feePosting, id: 2 })];
    expect(kinds({ bookings: [booking({ ...fee, open: ['fee'] })], postings })).toEqual([
      'missing_at_provider',
    ]);
    const refund = booking({ kind: 'refund', amountCents: -500, refs: ['re'] });
    const paidBack = [posting({ kind: 'refund', cents: -500 }), posting({ ...feePosting, id: 2 })];
    expect(kinds({ bookings: [refund], postings: paidBack })).toEqual(['missing_at_provider']);
  });

  it('comes in the order in which it was booked', () => {
    const bookings = [
      booking({ id: 'new', saleId: null, at: later(2) }),
      booking({ id: 'old', saleId: null, at: DAY_0 }),
    ];
    expect(found({ bookings }).map(({ bookingId }) => bookingId)).toEqual(['old', 'new']);
  });
});
