import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Posting, SaleAmounts } from './model.ts';
import {
  acceptedPostings,
  costPostings,
  disputedPostings,
  disputeFeePostings,
  paidPostings,
  postingsProblem,
  releasedPostings,
  reversedPostings,
  sellerDueCents,
  suspensePostings,
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
    expect(lines(releasedPostings(amounts, { escrowCents: 100_000_00, feesCents: 2_495_00 }))).toEqual([
      'escrow_held 10000000',
      'seller_payable -7985000',
      'platform_revenue -2015000',
      'fees_held 249500',
      'fee_revenue -249500',
    ]);
  });

  it('of a release after a partial refund share what is left; the seller fees come off the share', () => {
    expect(lines(releasedPostings(amounts, { escrowCents: 50_000_01, feesCents: 0 }))).toEqual([
      'escrow_held 5000001',
      'seller_payable -3985001',
      'platform_revenue -1015000',
    ]);
    expect(lines(releasedPostings(amounts, { escrowCents: 100_00, feesCents: 0 }))).toEqual([
      'escrow_held 10000',
      'platform_revenue -10000',
    ]);
    expect(releasedPostings(amounts, { escrowCents: 0, feesCents: 0 })).toEqual([]);
  });

  it('of a part give the seller the share rounded half up, and the whole share for the whole', () => {
    const halves = { basePriceCents: 2, buyerFeesCents: 0, agentCommissionCents: 1, sellerFeesCents: 0 };
    expect([0, 1, 2].map((part) => sellerDueCents(halves, part))).toEqual([0, 1, 1]);
    fc.assert(
      fc.property(anyAmounts, (sale) => {
        const { basePriceCents, agentCommissionCents, sellerFeesCents } = sale;
        expect(sellerDueCents(sale, basePriceCents)).toBe(agentCommissionCents - sellerFeesCents);
        expect(sellerDueCents(sale, 0)).toBe(0);
      }),
    );
  });

  it('of a dispute set what it took aside, and record what the provider keeps for it', () => {
    expect(lines(disputedPostings(40_00))).toEqual(['disputed 4000', 'clearing -4000']);
    expect(lines(disputeFeePostings(15_00))).toEqual(['dispute_fees 1500', 'clearing -1500']);
    expect(lines(disputeFeePostings(-15_00))).toEqual(['dispute_fees -1500', 'clearing 1500']);
  });

  it('of money set aside: accepted it is the whole price, what is missing is written off, what is too much stays', () => {
    expect(lines(suspensePostings(5))).toEqual(['clearing 5', 'suspense -5']);
    const accepted = (cents: number) => lines(acceptedPostings(amounts, cents));
    expect(accepted(102_495_00)).toEqual(['suspense 10249500', 'escrow_held -10000000', 'fees_held -249500']);
    expect(accepted(102_494_00)).toEqual([
      'suspense 10249400',
      'write_offs 100',
      'escrow_held -10000000',
      'fees_held -249500',
    ]);
    expect(accepted(102_496_00)).toEqual(['suspense 10249500', 'escrow_held -10000000', 'fees_held -249500']);
  });

  it('leave out zero amounts', () => {
    const bare = { ...amounts, buyerFeesCents: 0, sellerFeesCents: 0, agentCommissionCents: 100_000_00 };
    expect(lines(paidPostings(bare))).toEqual(['clearing 10000000', 'escrow_held -10000000']);
    expect(lines(releasedPostings(bare, { escrowCents: 100_000_00, feesCents: 0 }))).toEqual([
      'escrow_held 10000000',
      'seller_payable -10000000',
    ]);
  });

  it('balance for every sale', () => {
    fc.assert(
      fc.property(anyAmounts, fc.nat(), (sale, cents) => {
        const { basePriceCents: escrowCents, buyerFeesCents: feesCents } = sale;
        for (const postings of [
          paidPostings(sale),
          reversedPostings(paidPostings(sale)),
          releasedPostings(sale, { escrowCents, feesCents }),
          acceptedPostings(sale, cents + 1),
        ])
          expect(postingsProblem(postings)).toBeNull();
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
