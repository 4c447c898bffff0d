import { expect, it } from 'vitest';
import { linesOf, totalsOf, withBalances } from './lines.ts';
import type { SellerEntry } from './model.ts';
import { monthEnd, monthName, nextMonth, previousMonth, statementMonth } from './months.ts';

const entry: SellerEntry = {
  id: 1,
  kind: 'L2',
  at: new Date('2026-10-05T12:00:00Z'),
  saleId: 'sale',
  address: '1 Oak Street',
  town: 'Fernridge, WA 98045',
  payableCents: 0,
  receivableCents: 0,
  releasedCents: 0,
  basePriceCents: 100_000_00,
  shareCents: 80_000_00,
  fees: [],
  payout: null,
};
const fees = [
  { label: 'Listing', cents: 100_00 },
  { label: 'Photos (0.1%)', cents: 50_00 },
];
const said = (change: Partial<SellerEntry>) =>
  linesOf({ ...entry, ...change }).map(({ kind, text, cents }) => [kind, text, cents]);

it('a release is the share, less the fees that were taken', () => {
  expect(said({ payableCents: 79_850_00, releasedCents: 100_000_00, fees })).toEqual([
    ['share', 'Your share', 80_000_00],
    ['fee', 'Listing', -100_00],
    ['fee', 'Photos (0.1%)', -50_00],
  ]);
  // Nearly all of the price went back before: the fees take what is left.
  expect(said({ payableCents: 0, releasedCents: 150_00, fees })).toEqual([
    ['share', 'Your share', 120_00],
    ['fee', 'Listing', -100_00],
    ['fee', 'Photos (0.1%)', -20_00],
  ]);
});

it.each([
  ['L3', { payableCents: -70 }, [['payout', 'Payout', -70]]],
  ['L3', { payableCents: 70 }, [['payout_back', 'Payout failed or came back', 70]]],
  ['L3', { receivableCents: 70 }, [['settled', 'Taken back from your account', 70]]],
  ['L4', { payableCents: -70 }, [['refund', 'Refunded to the buyer', -70]]],
  [
    'L4',
    { payableCents: -20, receivableCents: -50 },
    [
      ['refund', 'Refunded to the buyer', -20],
      ['claw_back', 'Claw-back: refunded to the buyer after your payout', -50],
    ],
  ],
  [
    'L5',
    { receivableCents: -5 },
    [['claw_back', "Claw-back: taken back by the buyer's bank after your payout", -5]],
  ],
  [
    'L7',
    { payableCents: -9, receivableCents: 9 },
    [
      ['offset', 'Set off against what you owe', -9],
      ['settled', 'Settled from a payout', 9],
    ],
  ],
  ['L9', { payableCents: 3 }, [['correction', 'Correction', 3]]],
  ['L1', {}, []],
] as const)('%s %j', (kind, change, lines) => {
  expect(said({ kind, ...change })).toEqual(lines);
});

it('only payouts have a reference', () => {
  const payout = { reference: 'po_1', expectedAt: new Date('2026-10-09T00:00:00Z'), paidAt: null };
  expect(linesOf({ ...entry, kind: 'L3', payableCents: -70, payout })[0]).toMatchObject({
    reference: 'po_1',
    expectedAt: '2026-10-09T00:00:00.000Z',
  });
  expect(linesOf({ ...entry, kind: 'L4', payableCents: -70, payout })[0]).toMatchObject({ reference: null });
});

it('the balance goes on from line to line, and the month adds up', () => {
  const lines = [
    { kind: 'L2' as const, payableCents: 79_900_00, releasedCents: 100_000_00, fees: fees.slice(0, 1) },
    { kind: 'L4' as const, payableCents: -900_00 },
    { kind: 'L3' as const, payableCents: -79_000_00 },
  ].flatMap((change) => linesOf({ ...entry, ...change }));
  expect(withBalances(lines, -10).map(({ balanceCents }) => balanceCents)).toEqual([
    79_999_90, 79_899_90, 78_999_90, -10,
  ]);
  expect(totalsOf(lines)).toEqual({
    earnedCents: 80_000_00,
    feesCents: -100_00,
    takenBackCents: -900_00,
    paidOutCents: -79_000_00,
  });
});

it('months are those of UTC, and a late entry stands on the next open one', () => {
  expect([nextMonth('2026-12'), previousMonth('2026-01')]).toEqual(['2027-01', '2025-12']);
  expect(monthEnd('2026-02').toISOString()).toBe('2026-03-01T00:00:00.000Z');
  expect(monthName('2026-10')).toBe('October 2026');
  const at = new Date('2026-10-31T23:59:59.999Z');
  expect(statementMonth(at, null)).toBe('2026-10');
  expect(statementMonth(at, '2026-09')).toBe('2026-10');
  expect(statementMonth(at, '2026-10')).toBe('2026-11');
  expect(statementMonth(at, '2026-12')).toBe('2027-01');
});
