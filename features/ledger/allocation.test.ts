import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate, basePart, type Parts, partsSum, takenPostings } from './allocation.ts';
import { balancesOf, type Entry, heldCents, sumOf } from './balances.ts';
import type { EntryKind, Posting, SaleAmounts } from './model.ts';
import {
  paidPostings,
  postingsProblem,
  releasedPostings,
  reversedPostings,
  sellerDueCents,
} from './rules.ts';

const amounts: SaleAmounts = {
  basePriceCents: 100_00,
  buyerFeesCents: 10_00,
  agentCommissionCents: 80_00,
  sellerFeesCents: 5_00,
};
const lines = (postings: readonly Posting[]) => postings.map(({ account, cents }) => `${account} ${cents}`);
const entry = (key: string, postings: Posting[], kind: EntryKind = 'L1'): Entry => ({ key, kind, postings });
const paid = entry('paid', paidPostings(amounts));
const released = (entries: Entry[]) => [
  ...entries,
  entry('released', releasedPostings(amounts, balancesOf(entries)), 'L2'),
];
const paidOut = (entries: Entry[]) => {
  const cents = balancesOf(entries).sellerPayableCents;
  const moved: Posting[] = [
    { account: 'seller_payable', cents },
    { account: 'payout_in_transit', cents: -cents },
  ];
  return cents > 0 ? [...entries, entry('payout', moved, 'L3')] : entries;
};
const take = (entries: Entry[], cents: number, asked: Parts = basePart(cents)) => {
  const balances = balancesOf(entries);
  return takenPostings(amounts, balances, allocate(cents, asked, balances), 'clearing');
};
const parts = (baseCents: number, feesCents: number, suspenseCents = 0): Parts => ({
  baseCents,
  feesCents,
  suspenseCents,
});

describe('money that leaves a sale', () => {
  it('is taken out of what is held: what was asked for first, then base price, then fees', () => {
    expect(lines(take([paid], 30_00))).toEqual(['escrow_held 3000', 'clearing -3000']);
    expect(lines(take([paid], 8_00, parts(3_00, 5_00)))).toEqual([
      'escrow_held 300',
      'fees_held 500',
      'clearing -800',
    ]);
    expect(lines(take([paid], 105_00))).toEqual(['escrow_held 10000', 'fees_held 500', 'clearing -10500']);
    expect(lines(take([paid], 12_00, parts(0, 12_00)))).toEqual([
      'escrow_held 200',
      'fees_held 1000',
      'clearing -1200',
    ]);
  });

  it('that was never assigned is taken out of suspense', () => {
    const aside = entry('suspense', [
      { account: 'clearing', cents: 40_00 },
      { account: 'suspense', cents: -40_00 },
    ]);
    expect(lines(take([aside], 40_00))).toEqual(['suspense 4000', 'clearing -4000']);
    expect(lines(take([paid, aside], 10_00, parts(0, 0, 10_00)))).toEqual([
      'suspense 1000',
      'clearing -1000',
    ]);
  });

  it('after the release comes out of the shares of both sides, pro rata', () => {
    expect(lines(take(released([paid]), 50_00))).toEqual([
      'seller_payable 4000',
      'platform_revenue 1000',
      'clearing -5000',
    ]);
    // Seller fees stay with the platform as long as there is a share that they can come off.
    expect(lines(take(released([paid]), 110_00))).toEqual([
      'seller_payable 7500',
      'platform_revenue 2500',
      'fee_revenue 1000',
      'clearing -11000',
    ]);
  });

  it('after the payout is owed by the seller', () => {
    expect(lines(take(paidOut(released([paid])), 50_00))).toEqual([
      'seller_receivable 4000',
      'platform_revenue 1000',
      'clearing -5000',
    ]);
  });

  it('is lost when it is not there any more', () => {
    const back = entry('refunded', take([paid], 110_00), 'L4');
    expect(lines(take([paid, back], 110_00))).toEqual(['chargeback_loss 11000', 'clearing -11000']);
  });

  it('always balances, never overdraws, and is the same whatever the order', () => {
    const anySale = fc
      .record({ base: fc.integer({ min: 1, max: 10_000 }), fees: fc.nat(1_000) })
      .chain(({ base, fees }) =>
        fc.record({
          base: fc.constant(base),
          fees: fc.constant(fees),
          share: fc.nat(base),
          state: fc.constantFrom('held', 'released', 'paid out'),
          takes: fc.array(
            fc.record({ cents: fc.integer({ min: 1, max: base + fees }), feesAsked: fc.nat(fees) }),
            { minLength: 2, maxLength: 4 },
          ),
        }),
      );
    fc.assert(
      fc.property(anySale, ({ base, fees, share, state, takes }) => {
        const sale: SaleAmounts = {
          basePriceCents: base,
          buyerFeesCents: fees,
          agentCommissionCents: share,
          sellerFeesCents: Math.min(share, 7),
        };
        const first = entry('paid', paidPostings(sale));
        const release = entry(
          'released',
          releasedPostings(sale, { escrowCents: base, feesCents: fees }),
          'L2',
        );
        const start =
          state === 'held' ? [first] : state === 'released' ? [first, release] : paidOut([first, release]);
        const run = (order: typeof takes) => {
          const entries = [...start];
          for (const { cents, feesAsked } of order) {
            const asked = parts(Math.max(0, cents - feesAsked), Math.min(cents, feesAsked));
            expect(partsSum(asked)).toBe(cents);
            const balances = balancesOf(entries);
            const postings = takenPostings(sale, balances, allocate(cents, asked, balances), 'clearing');
            expect(postingsProblem(postings)).toBeNull();
            entries.push(entry('taken', postings, 'L4'));
            const after = balancesOf(entries);
            for (const left of [after.escrowCents, after.feesCents, after.sellerPayableCents])
              expect(left).toBeGreaterThanOrEqual(0);
            expect(after.remainingBaseCents).toBeGreaterThanOrEqual(0);
            expect(after.remainingFeesCents).toBeGreaterThanOrEqual(0);
            if (state === 'released')
              expect(after.sellerPayableCents).toBe(sellerDueCents(sale, after.remainingBaseCents));
          }
          return balancesOf(entries);
        };
        expect(run(takes.toReversed())).toEqual(run(takes));
      }),
    );
  });

  it('comes back exactly as it left', () => {
    const before = released([paid]);
    const left = entry('refunded', take(before, 60_00), 'L4');
    const back = entry('returned', reversedPostings(left.postings), 'L4');
    expect(balancesOf([...before, left, back])).toEqual(balancesOf(before));
    expect(heldCents(balancesOf([paid]))).toBe(110_00);
    expect(sumOf([paid], ['clearing'])).toBe(110_00);
  });
});
