import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fee } from '#features/fees/model.ts';
import { adminPercentageFor, agentCommissionCents, saleTerms } from './amounts.ts';

const fee = (name: string, change: Partial<Fee>): Fee => ({
  id: name,
  name,
  fixedCents: null,
  percent: null,
  ...change,
});

describe('amounts of a sale', () => {
  it.each([
    [1_000_00, 20, 800_00],
    [1_000_00, 0, 1_000_00],
    [1_000_00, 100, 0],
    [333, 20, 266],
    [1, 50, 1],
    [1, 50.001, 0],
    [3, 50, 2],
    [99_999_999_999, 6.125, 93_874_999_999],
  ])(
    'of %i cents the platform takes %d %%, the seller gets %i (rounded half up)',
    (base, percent, seller) => {
      expect(agentCommissionCents(base, percent)).toBe(seller);
    },
  );

  it("a seller's individual share goes to the seller, and the platform takes the rest", () => {
    expect(adminPercentageFor(6, 20)).toBe(94);
    expect(adminPercentageFor(0, 20)).toBe(100);
    expect(adminPercentageFor(97.25, 20)).toBe(2.75);
    expect(adminPercentageFor(null, 12.5)).toBe(12.5);
  });

  it('buyer and seller pay their own fees, each computed on the base price', () => {
    const terms = saleTerms(
      742_000_00,
      {
        buyer: [fee('Buyer Protection', { percent: 1.5 }), fee('Closing', { fixedCents: 495_00 })],
        seller: [fee('Listing', { fixedCents: 100_00 }), fee('Seller Protection', { percent: 0.25 })],
      },
      20,
    );
    expect(terms).toEqual({
      basePriceCents: 742_000_00,
      buyerFeesCents: 11_130_00 + 495_00,
      agentCommissionCents: 593_600_00,
      sellerFeesCents: 100_00 + 1_855_00,
      adminPercentage: 20,
      totalCents: 742_000_00 + 11_130_00 + 495_00,
      fees: [
        {
          feeId: 'Buyer Protection',
          name: 'Buyer Protection',
          percent: 1.5,
          appliesTo: 'buyer',
          cents: 11_130_00,
        },
        { feeId: 'Closing', name: 'Closing', percent: null, appliesTo: 'buyer', cents: 495_00 },
        { feeId: 'Listing', name: 'Listing', percent: null, appliesTo: 'seller', cents: 100_00 },
        {
          feeId: 'Seller Protection',
          name: 'Seller Protection',
          percent: 0.25,
          appliesTo: 'seller',
          cents: 1_855_00,
        },
      ],
    });
  });

  it("the seller's fees never exceed the seller's share", () => {
    const terms = saleTerms(
      100_00,
      {
        buyer: [],
        seller: [
          fee('A', { fixedCents: 50_00 }),
          fee('B', { fixedCents: 50_00 }),
          fee('C', { fixedCents: 1 }),
        ],
      },
      20,
    );
    expect(terms.fees.map(({ cents }) => cents)).toEqual([50_00, 30_00, 0]);
    expect(terms.sellerFeesCents).toBe(terms.agentCommissionCents);
  });

  it('the share is rounded half up and never exceeds the price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999_999 }),
        fc.integer({ min: 0, max: 100_000 }),
        (base, thousandths) => {
          const share = agentCommissionCents(base, thousandths / 1000);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(base);
          // Half up: off the exact value by at most half a cent.
          const exact = BigInt(base) * BigInt(100_000 - thousandths);
          const off = BigInt(share) * 100_000n - exact;
          expect(off <= 50_000n && off > -50_000n).toBe(true);
        },
      ),
    );
  });
});
