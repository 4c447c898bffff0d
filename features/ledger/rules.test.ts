import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Posting, SaleAmounts } from './model.ts';
import {
  costPostings,
  disputedPostings,
  lostPostings,
  paidPostings,
  postingsProblem,
  releasedPostings,
  reversedPostings,
} from './rules.ts';

const amounts: SaleAmounts = {
  basePriceCents: 100_000_00,
  buyerFeesCents: 2_495_00,
  agentCommissionCents: 80_000_00,
  sellerFeesCents: 150_00,
};
const lines = (postings: readonly Posting[]) => postings.map(({ account, cents }) => `${account} ${cents}`);

/** Any sale: the seller's share and fees never exceed what they are deducted from. */
const anyAmounts = fc
  .record({
    base: fc.integer({ min: 1, max: 99_999_999_999 }),
    fees: fc.integer({ min: 0, max: 10_000_000 }),
  })
  .chain(({ base, fees }) =>
    fc.integer({ min: 0, max: base }).chain((share) =>
      fc.integer({ min: 0, max: share }).map(
        (sellerFees): SaleAmounts => ({
          basePriceCents: base,
          buyerFeesCents: fees,
          agentCommissionCents: share,
          sellerFeesCents: sellerFees,
        }),
      ),
    ),
  );

describe('postings', () => {
  it('of a payment hold the base price and the fees, and record what the provider keeps', () => {
    expect(lines(paidPostings(amounts))).toEqual([
      'clearing 10249500',
      'escrow_held -10000000',
      'fees_held -249500',
    ]);
    expect(lines(costPostings(297_00))).toEqual(['processing_cost 29700', 'clearing -29700']);
    expect(costPostings(0)).toEqual([]);
  });

  it('of a release give the seller the share less fees, the platform the rest, and the buyer fees to fee revenue', () => {
    expect(lines(releasedPostings(amounts))).toEqual([
      'escrow_held 10000000',
      'seller_payable -7985000',
      'platform_revenue -2015000',
      'fees_held 249500',
      'fee_revenue -249500',
    ]);
  });

  it('of a dispute set the payment aside, and take it out of what is held when it is lost', () => {
    expect(lines(disputedPostings(102_495_00))).toEqual(['disputed 10249500', 'clearing -10249500']);
    expect(lines(lostPostings(amounts))).toEqual([
      'escrow_held 10000000',
      'fees_held 249500',
      'disputed -10249500',
    ]);
  });

  it('leave out zero amounts', () => {
    const bare = { ...amounts, buyerFeesCents: 0, sellerFeesCents: 0, agentCommissionCents: 100_000_00 };
    expect(lines(paidPostings(bare))).toEqual(['clearing 10000000', 'escrow_held -10000000']);
    expect(lines(releasedPostings(bare))).toEqual(['escrow_held 10000000', 'seller_payable -10000000']);
    expect(lines(lostPostings(bare))).toEqual(['escrow_held 10000000', 'disputed -10000000']);
  });

  it('balance for every sale, and nothing stays held after a release, a refund or a lost dispute', () => {
    const held = (postings: readonly Posting[]) =>
      postings
        .filter(({ account }) => account === 'escrow_held' || account === 'fees_held')
        .reduce((sum, { cents }) => sum + cents, 0);
    fc.assert(
      fc.property(anyAmounts, (sale) => {
        const paid = paidPostings(sale);
        for (const after of [releasedPostings(sale), reversedPostings(paid), lostPostings(sale)]) {
          expect(postingsProblem(paid)).toBeNull();
          expect(postingsProblem(after)).toBeNull();
          expect(held(paid) + held(after)).toBe(0);
        }
        expect(held(paid)).toBe(-sale.basePriceCents - sale.buyerFeesCents);
      }),
    );
  });

  it('are rejected with a reason when they form no valid entry', () => {
    const of = (...cents: number[]): Posting[] =>
      cents.map((value) => ({ account: 'escrow_held', cents: value }));
    expect(postingsProblem(of(1, -1))).toBeNull();
    expect(postingsProblem(of(0, 0))).toBe('a posting is a whole number of cents other than zero');
    expect(postingsProblem(of(0.5, -0.5))).toBe('a posting is a whole number of cents other than zero');
    expect(postingsProblem(of(5, 0, -5))).toBe('a posting is a whole number of cents other than zero');
    expect(postingsProblem(of(1))).toBe('an entry has at least two postings');
    expect(postingsProblem([])).toBe('an entry has at least two postings');
    expect(postingsProblem(of(3, -1))).toBe('the postings add up to 2 cents');
  });
});
