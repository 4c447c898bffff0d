import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  basePart,
  lossIn,
  type Outflow,
  type Parts,
  partsSum,
  remainderAfter,
  remainderPostings,
} from './allocation.ts';
import { balancesOf, type Entry, heldCents, sumOf } from './balances.ts';
import type { EntryKind, Posting, SaleAmounts } from './model.ts';
import { paidPostings, postingsProblem, releasedPostings, sellerDueCents } from './rules.ts';

const amounts: SaleAmounts = {
  basePriceCents: 100_00,
  buyerFeesCents: 10_00,
  agentCommissionCents: 80_00,
  sellerFeesCents: 5_00,
};
const lines = (postings: readonly Posting[]) => postings.map(({ account, cents }) => `${account} ${cents}`);
const entry = (key: string, postings: Posting[], kind: EntryKind = 'L1'): Entry => ({ key, kind, postings });
const parts = (baseCents: number, feesCents: number, suspenseCents = 0): Parts => ({
  baseCents,
  feesCents,
  suspenseCents,
});
const outflow = (cents: number, asked = basePart(cents)): Outflow => ({ cents, asked });

/** The books of a sale that is paid, and released and paid out if so said. */
class Books {
  readonly entries: Entry[];
  readonly sale: SaleAmounts;
  readonly isReleased: boolean;
  constructor(sale: SaleAmounts, state: 'held' | 'released' | 'paid out') {
    this.sale = sale;
    this.isReleased = state !== 'held';
    this.entries = [entry('paid', paidPostings(sale))];
    if (this.isReleased)
      this.entries.push(entry('released', releasedPostings(sale, balancesOf(this.entries)), 'L2'));
    const cents = balancesOf(this.entries).sellerPayableCents;
    if (state === 'paid out' && cents > 0)
      this.entries.push(
        entry(
          'payout',
          [
            { account: 'seller_payable', cents },
            { account: 'payout_in_transit', cents: -cents },
          ],
          'L3',
        ),
      );
  }
  move(before: readonly Outflow[], after: readonly Outflow[]): Posting[] {
    const payment = parts(this.sale.basePriceCents, this.sale.buyerFeesCents);
    const postings = remainderPostings({
      amounts: this.sale,
      balances: balancesOf(this.entries),
      isReleased: this.isReleased,
      before: remainderAfter(payment, before),
      after: remainderAfter(payment, after),
      madeUpCents: 0,
      to: 'clearing',
    });
    this.entries.push(entry('move', postings, 'L4'));
    return postings;
  }
}

describe('what is left of a payment', () => {
  it('is less what was asked for first, then base price, fees and unassigned money; the rest is lost', () => {
    const left = (...outflows: Outflow[]) => remainderAfter(parts(100, 10, 5), outflows);
    expect(left()).toEqual({ ...parts(100, 10, 5), lossCents: 0 });
    expect(left(outflow(30))).toEqual({ ...parts(70, 10, 5), lossCents: 0 });
    expect(left(outflow(8, parts(3, 5)))).toEqual({ ...parts(97, 5, 5), lossCents: 0 });
    expect(left(outflow(12, parts(0, 12)))).toEqual({ ...parts(98, 0, 5), lossCents: 0 });
    expect(left(outflow(4, parts(0, 0, 4)))).toEqual({ ...parts(100, 10, 1), lossCents: 0 });
    expect(left(outflow(112), outflow(5))).toEqual({ ...parts(0, 0, 0), lossCents: 2 });
    // The amount counts, whatever was asked for.
    expect(left(outflow(3, parts(7, 0)))).toEqual({ ...parts(97, 10, 5), lossCents: 0 });
  });

  it('is the same whatever the order', () => {
    const anyOutflows = fc.array(
      fc
        .tuple(fc.nat(60), fc.nat(60), fc.nat(20))
        .map(([base, fees, suspense]) => outflow(base + fees + suspense, parts(base, fees, suspense))),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.nat(100), fc.nat(50), anyOutflows, (base, fees, outflows) => {
        const payment = parts(base, fees);
        expect(remainderAfter(payment, outflows.toReversed())).toEqual(remainderAfter(payment, outflows));
      }),
    );
  });
});

describe('money that leaves a sale', () => {
  it('is taken out of what is held', () => {
    expect(lines(new Books(amounts, 'held').move([], [outflow(105_00)]))).toEqual([
      'escrow_held 10000',
      'fees_held 500',
      'clearing -10500',
    ]);
  });

  it('after the release comes out of the shares of both sides, pro rata', () => {
    const books = new Books(amounts, 'released');
    expect(lines(books.move([], [outflow(50_00)]))).toEqual([
      'seller_payable 4000',
      'platform_revenue 1000',
      'clearing -5000',
    ]);
    // The fees of the seller stay with the platform as long as there is a share that they can come off.
    expect(lines(books.move([outflow(50_00)], [outflow(110_00)]))).toEqual([
      'seller_payable 3500',
      'platform_revenue 1500',
      'fee_revenue 1000',
      'clearing -6000',
    ]);
  });

  it('after the payout is owed by the seller, until it comes back', () => {
    const books = new Books(amounts, 'paid out');
    expect(lines(books.move([], [outflow(50_00)]))).toEqual([
      'seller_receivable 4000',
      'platform_revenue 1000',
      'clearing -5000',
    ]);
    expect(lines(books.move([outflow(50_00)], []))).toEqual([
      'seller_receivable -4000',
      'platform_revenue -1000',
      'clearing 5000',
    ]);
  });

  it('is lost when it is not there anymore, and makes that good first when it comes back', () => {
    const books = new Books(amounts, 'held');
    const [refund, dispute] = [outflow(110_00, parts(100_00, 10_00)), outflow(110_00)];
    books.move([], [refund]);
    const second = books.move([refund], [refund, dispute]);
    expect(lines(second)).toEqual(['chargeback_loss 11000', 'clearing -11000']);
    expect(lossIn(second)).toBe(110_00);
    expect(lines(books.move([refund, dispute], [dispute]))).toEqual([
      'chargeback_loss -11000',
      'clearing 11000',
    ]);
    expect(lines(books.move([dispute], []))).toEqual([
      'escrow_held -10000',
      'fees_held -1000',
      'clearing 11000',
    ]);
  });

  it('never takes more than is held, even when the books were corrected by hand', () => {
    const books = new Books(amounts, 'held');
    books.entries.push(
      entry(
        'correction',
        [
          { account: 'escrow_held', cents: 90_00 },
          { account: 'write_offs', cents: -90_00 },
        ],
        'L9',
      ),
    );
    expect(lines(books.move([], [outflow(30_00)]))).toEqual([
      'escrow_held 1000',
      'chargeback_loss 2000',
      'clearing -3000',
    ]);
  });

  it('always balances, never overdraws, and leaves the seller the share of what is left, whatever the order', () => {
    const anySale = fc
      .record({ base: fc.integer({ min: 1, max: 10_000 }), fees: fc.nat(1_000) })
      .chain(({ base, fees }) =>
        fc.record({
          base: fc.constant(base),
          fees: fc.constant(fees),
          share: fc.nat(base),
          state: fc.constantFrom('held' as const, 'released' as const, 'paid out' as const),
          outflows: fc.array(
            fc
              .record({ cents: fc.integer({ min: 1, max: base + fees }), feesAsked: fc.nat(fees) })
              .map(({ cents, feesAsked }) =>
                outflow(cents, parts(Math.max(0, cents - feesAsked), Math.min(cents, feesAsked))),
              ),
            { minLength: 2, maxLength: 4 },
          ),
        }),
      );
    fc.assert(
      fc.property(anySale, fc.nat(3), ({ base, fees, share, state, outflows }, comesBack) => {
        const sale: SaleAmounts = {
          basePriceCents: base,
          buyerFeesCents: fees,
          agentCommissionCents: share,
          sellerFeesCents: Math.min(share, 7),
        };
        const run = (order: Outflow[]) => {
          const books = new Books(sale, state);
          const done: Outflow[] = [];
          const check = (postings: Posting[]) => {
            expect(postingsProblem(postings)).toBeNull();
            const after = balancesOf(books.entries);
            for (const left of [
              after.escrowCents,
              after.feesCents,
              after.sellerPayableCents,
              after.sellerReceivableCents,
              after.remainingBaseCents,
              after.remainingFeesCents,
            ])
              expect(left).toBeGreaterThanOrEqual(0);
            if (state === 'released')
              expect(after.sellerPayableCents).toBe(sellerDueCents(sale, after.remainingBaseCents));
          };
          for (const one of order) {
            expect(partsSum(one.asked)).toBe(one.cents);
            check(books.move(done, [...done, one]));
            done.push(one);
          }
          const returned = outflows[comesBack % outflows.length];
          check(
            books.move(
              done,
              done.filter((one) => one !== returned),
            ),
          );
          return balancesOf(books.entries);
        };
        expect(run(outflows.toReversed())).toEqual(run(outflows));
      }),
    );
  });
});

it('the balances of a sale are sums of its entries', () => {
  const { entries } = new Books(amounts, 'held');
  expect(heldCents(balancesOf(entries))).toBe(110_00);
  expect(sumOf(entries, ['clearing'])).toBe(110_00);
});
