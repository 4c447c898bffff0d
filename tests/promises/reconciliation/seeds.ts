import type { Finding } from '#features/reconciliation/findings.ts';
import type { BreakKind } from '#features/reconciliation/model.ts';
import { ACCOUNT, addBooking, addPayout, addPosting, addSale, type Days, type SalePlan } from './days.ts';

/** Where and how large what goes wrong is. */
export interface Seed {
  minute: number;
  totalCents: number;
  feeCents: number;
  /** by how much amounts differ */
  offCents: number;
}

type Expected = Pick<Finding, 'kind' | 'saleId' | 'theirsCents' | 'oursCents'>;

const SALE = 'the sale with a break';
const kept = (days: Days, { minute, totalCents }: Seed): void => {
  const plan: SalePlan = {
    minute,
    totalCents,
    feeShare: 0,
    times: { listed: 0, posted: 1 },
    story: { is: 'kept' },
  };
  addSale(days, SALE, plan);
};
const payment = (seed: Seed) =>
  ({
    kind: 'payment',
    refs: ['ch', 'pi'],
    saleId: SALE,
    amountCents: seed.totalCents,
    feeCents: seed.feeCents,
  }) as const;
const on = ({ minute }: Seed) => ({ minute: minute + 60, listed: 0, posted: 5 });
const known = (days: Days, { totalCents }: Seed, accountId = ACCOUNT) =>
  days.sales.set(SALE, { accountId, totalCents, refs: ['pi'], paymentSettled: false });

/** A seller who was paid; hours later a part of that comes back, and nobody tells us. */
function paidBack(days: Days, seed: Seed, cents: number): void {
  kept(days, seed);
  const times = { listed: 0, posted: 1 };
  const minute = seed.minute + 2_000;
  addPayout(
    days,
    { saleId: SALE, totalCents: seed.totalCents },
    { minute, shares: [0.5], itemFee: 0, ends: 'stays', times },
  );
  addBooking(
    days,
    { kind: 'transfer_return', refs: [`tr0 of ${SALE}`], saleId: SALE, amountCents: cents, feeCents: 0 },
    { ...times, minute: minute + 60 },
  );
}

/** Each adds one break to days that have none, and says what has to be found. */
export const seeds: Partial<Record<BreakKind, (days: Days, seed: Seed) => Expected>> = {
  missing_message(days, seed) {
    known(days, seed);
    addBooking(days, payment(seed), on(seed));
    return {
      kind: 'missing_message',
      saleId: SALE,
      theirsCents: seed.totalCents - seed.feeCents,
      oursCents: 0,
    };
  },
  wrong_amount(days, seed) {
    known(days, seed);
    const theirs = seed.totalCents + seed.offCents;
    addBooking(days, { ...payment(seed), amountCents: theirs }, on(seed));
    addPosting(days, { kind: 'payment', saleId: SALE, ref: null, cents: seed.totalCents }, on(seed));
    addPosting(days, { kind: 'fee', saleId: SALE, ref: null, cents: -seed.feeCents }, on(seed));
    return { kind: 'wrong_amount', saleId: SALE, theirsCents: theirs, oursCents: seed.totalCents };
  },
  unexpected_refund(days, seed) {
    kept(days, seed);
    const refund = { kind: 'refund', refs: ['re', 'pi'], saleId: SALE, feeCents: 0 } as const;
    addBooking(days, { ...refund, amountCents: -seed.totalCents }, on(seed));
    return { kind: 'unexpected_refund', saleId: SALE, theirsCents: -seed.totalCents, oursCents: 0 };
  },
  dispute(days, seed) {
    kept(days, seed);
    const dispute = { kind: 'dispute', refs: ['dp', 'pi'], saleId: SALE, feeCents: 1_500 } as const;
    addBooking(days, { ...dispute, amountCents: -seed.totalCents }, on(seed));
    return { kind: 'dispute', saleId: SALE, theirsCents: -seed.totalCents - 1_500, oursCents: 0 };
  },
  // Before, with or after the one that the sale knows of, and in no way different.
  duplicate_charge(days, seed) {
    known(days, seed);
    addPosting(days, { kind: 'payment', saleId: SALE, ref: null, cents: seed.totalCents }, on(seed));
    addPosting(days, { kind: 'fee', saleId: SALE, ref: null, cents: -seed.feeCents }, on(seed));
    const when = on(seed);
    addBooking(
      days,
      { ...payment(seed), refs: ['ch', 'pi 2'] },
      { ...when, minute: when.minute + seed.offCents },
    );
    addBooking(days, payment(seed), when);
    return {
      kind: 'duplicate_charge',
      saleId: SALE,
      theirsCents: seed.totalCents - seed.feeCents,
      oursCents: 0,
    };
  },
  orphan_charge(days, seed) {
    addBooking(days, { ...payment(seed), saleId: null }, on(seed));
    return {
      kind: 'orphan_charge',
      saleId: null,
      theirsCents: seed.totalCents - seed.feeCents,
      oursCents: 0,
    };
  },
  fee_drift(days, seed) {
    known(days, seed);
    const theirs = seed.feeCents + Math.abs(seed.offCents);
    addBooking(days, { ...payment(seed), feeCents: theirs }, on(seed));
    addPosting(days, { kind: 'payment', saleId: SALE, ref: null, cents: seed.totalCents }, on(seed));
    addPosting(days, { kind: 'fee', saleId: SALE, ref: null, cents: -seed.feeCents }, on(seed));
    return {
      kind: 'fee_drift',
      saleId: SALE,
      theirsCents: -theirs,
      oursCents: seed.feeCents === 0 ? 0 : -seed.feeCents,
    };
  },
  mode_mix(days, seed) {
    known(days, seed, 'the same account in test mode');
    addBooking(days, payment(seed), on(seed));
    return { kind: 'mode_mix', saleId: SALE, theirsCents: seed.totalCents - seed.feeCents, oursCents: 0 };
  },
  unknown_currency(days, seed) {
    known(days, seed);
    addBooking(days, { ...payment(seed), currency: 'eur' }, on(seed));
    return {
      kind: 'unknown_currency',
      saleId: SALE,
      theirsCents: seed.totalCents - seed.feeCents,
      oursCents: 0,
    };
  },
  payout_returned(days, seed) {
    const cents = Math.floor(seed.totalCents * 0.5);
    days.paysBy = 'paypal';
    paidBack(days, seed, cents);
    return { kind: 'payout_returned', saleId: SALE, theirsCents: cents, oursCents: 0 };
  },
  // Whole or in part.
  transfer_reversed(days, seed) {
    const cents = seed.offCents < 0 ? Math.floor(seed.totalCents * 0.5) : Math.min(seed.offCents, 500);
    paidBack(days, seed, cents);
    return { kind: 'transfer_reversed', saleId: SALE, theirsCents: cents, oursCents: 0 };
  },
  missing_at_provider(days, seed) {
    known(days, seed);
    addPosting(days, { kind: 'payment', saleId: SALE, ref: null, cents: seed.totalCents }, on(seed));
    return { kind: 'missing_at_provider', saleId: SALE, theirsCents: 0, oursCents: seed.totalCents };
  },
};
