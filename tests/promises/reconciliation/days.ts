import fc from 'fast-check';
import {
  type Booking,
  type BookingKind,
  type ClearingPosting,
  type NamedSale,
  partsOf,
} from '#features/reconciliation/facts.ts';
import type { PayoutMethod } from '#gateways/payouts/port.ts';
import { MINUTE } from '#platform/durations.ts';

/** A provider's books and ours over some days, as facts that become known at certain times. */
export interface Days {
  /** each visible from a time on, which may be later than when it was booked */
  bookings: { booking: Booking; visibleAt: Date }[];
  postings: ClearingPosting[];
  sales: Map<string, NamedSale>;
  ownRefunds: Set<string>;
  paysBy: PayoutMethod;
}

export const ACCOUNT = 'ours';
const START = Date.UTC(2031, 0, 1);
export const at = (minutes: number): Date => new Date(START + minutes * MINUTE);

const emptyDays = (): Days => ({
  bookings: [],
  postings: [],
  sales: new Map(),
  ownRefunds: new Set(),
  paysBy: 'stripe',
});

/** When something happens and how late each side hears of it, in minutes. */
interface Timing {
  minute: number;
  /** until the provider lists it */
  listed: number;
  /** until it is posted */
  posted: number;
}

interface Fact {
  kind: BookingKind;
  refs: readonly string[];
  saleId: string | null;
  amountCents: number;
  feeCents: number;
  currency?: string;
}

/** Adds what the provider books. */
export function addBooking(days: Days, fact: Fact, { minute, listed }: Timing): void {
  const booking: Booking = {
    id: `b${days.bookings.length}`,
    currency: 'usd',
    objectRef: fact.kind === 'payment' ? null : (fact.refs[0] ?? null),
    ...fact,
    open: partsOf(fact),
    at: at(minute),
    dueFrom: at(minute),
  };
  days.bookings.push({ booking, visibleAt: at(minute + listed) });
}

/** Adds what we post. */
export function addPosting(
  days: Days,
  posting: Omit<ClearingPosting, 'id' | 'at'>,
  { minute, posted }: Timing,
): void {
  if (posting.cents === 0) return;
  days.postings.push({ ...posting, id: days.postings.length + 1, at: at(minute + posted) });
}

/** Adds what both sides record, without contradiction. */
function addBoth(days: Days, fact: Fact, timing: Timing): void {
  addBooking(days, fact, timing);
  const { kind, saleId, amountCents, feeCents, refs } = fact;
  const ref = kind === 'payment' ? null : (refs[0] ?? null);
  addPosting(days, { kind, saleId, ref, cents: amountCents }, timing);
  addPosting(days, { kind: 'fee', saleId, ref, cents: -feeCents }, timing);
}

/** Seconds usually, an hour when a message is lost, half a day when the provider is out, hardly ever longer. */
const lateness = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 5 }), weight: 80_000 },
  { arbitrary: fc.integer({ min: 5, max: 60 }), weight: 19_000 },
  { arbitrary: fc.integer({ min: 60, max: 720 }), weight: 1_000 },
  { arbitrary: fc.integer({ min: 720, max: 1_430 }), weight: 1 },
);
/** How late a provider lists what it booked: at once, later within the hour, hardly ever two days. */
const listing = fc.oneof(
  { arbitrary: fc.constant(0), weight: 90_000 },
  { arbitrary: fc.integer({ min: 1, max: 60 }), weight: 10_000 },
  { arbitrary: fc.integer({ min: 60, max: 2_880 }), weight: 1 },
);
const timing = fc.record({ listed: listing, posted: lateness });
const afterwards = fc.integer({ min: 1, max: 2_000 });

const story = fc.oneof(
  { arbitrary: fc.constant({ is: 'kept' as const }), weight: 5 },
  {
    arbitrary: fc.record({
      is: fc.constant('refunded' as const),
      // Two parts may be equal, and on the same day.
      shares: fc.array(fc.constantFrom(0.1, 0.25, 0.5), { minLength: 1, maxLength: 2 }),
      gap: afterwards,
      comesBack: fc.boolean(),
      times: timing,
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      is: fc.constant('disputed' as const),
      share: fc.constantFrom(0.25, 1),
      gap: afterwards,
      won: fc.option(fc.boolean()),
      times: timing,
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      is: fc.constant('paid out' as const),
      // Of equal amount, too, and with a fee for each, which is posted in one.
      shares: fc.array(fc.constantFrom(0.1, 0.2, 0.25), { minLength: 1, maxLength: 3 }),
      itemFee: fc.constantFrom(0, 25),
      gap: fc.integer({ min: 1_440, max: 4_000 }),
      ends: fc.constantFrom('stays' as const, 'comes back' as const, 'is taken back' as const),
      times: timing,
    }),
    weight: 3,
  },
);

const saleArbitrary = (lastMinute: number) =>
  fc.record({
    minute: fc.integer({ min: 0, max: lastMinute }),
    totalCents: fc.oneof(fc.constantFrom(100_000, 25_000_000), fc.integer({ min: 50, max: 99_999_999 })),
    feeShare: fc.constantFrom(0, 0.008, 0.0125, 0.029),
    times: timing,
    story,
  });

type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type SalePlan = Generated<ReturnType<typeof saleArbitrary>>;

/** Plans of some days on which provider and books agree in the end. */
export const daysArbitrary = (count: number) =>
  fc.record({
    sales: fc.array(saleArbitrary(count * 1_440), { minLength: count, maxLength: count * 4 }),
    /** the provider's payouts to our bank and its fees for the account, each as a share of a day */
    payouts: fc.array(fc.tuple(fc.integer({ min: 0, max: count * 1_440 }), fc.boolean(), listing), {
      maxLength: count,
    }),
  });

type DaysPlan = Generated<ReturnType<typeof daysArbitrary>>;

/** What happens on the planned days. */
export function daysOf({ sales, payouts }: DaysPlan): Days {
  const days = emptyDays();
  for (const [number, plan] of sales.entries()) addSale(days, `sale ${number}`, plan);
  for (const [number, [minute, isFee, listed]] of payouts.entries()) {
    const fact = { refs: [`po_${number}`], saleId: null, feeCents: 0 };
    const times = { minute, listed, posted: 0 };
    addBooking(
      days,
      isFee
        ? { ...fact, kind: 'fee', amountCents: -2_500 }
        : { ...fact, kind: 'bank_payout', amountCents: -1_000_000 },
      times,
    );
  }
  return days;
}

export function addSale(
  days: Days,
  saleId: string,
  { minute, totalCents, feeShare, times, story }: SalePlan,
): void {
  const payment = [`ch of ${saleId}`, `pi of ${saleId}`];
  days.sales.set(saleId, { accountId: ACCOUNT, totalCents, refs: payment.slice(1), paymentSettled: false });
  addBoth(
    days,
    {
      kind: 'payment',
      refs: payment,
      saleId,
      amountCents: totalCents,
      feeCents: Math.round(totalCents * feeShare),
    },
    { minute, ...times },
  );
  if (story.is === 'refunded')
    for (const [number, share] of story.shares.entries()) {
      const cents = Math.max(1, Math.floor(totalCents * share));
      const refs = [`re${number} of ${saleId}`, ...payment];
      days.ownRefunds.add(refs[0] ?? '');
      const refund = { refs, saleId, feeCents: 0 };
      const when = { minute: minute + story.gap, ...story.times };
      addBoth(days, { ...refund, kind: 'refund', amountCents: -cents }, when);
      if (story.comesBack)
        addBoth(
          days,
          { ...refund, kind: 'refund_return', amountCents: cents },
          { ...when, minute: when.minute + 900 },
        );
    }
  if (story.is === 'paid out')
    addPayout(days, { saleId, totalCents }, { ...story, minute: minute + story.gap });
  if (story.is === 'disputed') {
    const cents = Math.max(1, Math.floor(totalCents * story.share));
    const dispute = { refs: [`dp of ${saleId}`, ...payment], saleId };
    const when = { minute: minute + story.gap, ...story.times };
    addBoth(days, { ...dispute, kind: 'dispute', amountCents: -cents, feeCents: 1_500 }, when);
    if (story.won)
      addBoth(
        days,
        { ...dispute, kind: 'dispute_return', amountCents: cents, feeCents: -1_500 },
        { ...when, minute: when.minute + 700 },
      );
  }
}

interface PayoutPlan {
  minute: number;
  /** of the total, one for each item */
  shares: readonly number[];
  /** cents */
  itemFee: number;
  ends: 'stays' | 'comes back' | 'is taken back';
  times: Omit<Timing, 'minute'>;
}

/** Adds the payout of a sale in items; what comes back by itself is one of them, what is taken back begins with the last. */
export function addPayout(
  days: Days,
  { saleId, totalCents }: { saleId: string; totalCents: number },
  { minute, shares, itemFee, ends, times }: PayoutPlan,
): void {
  const items = shares.map((share, number) => ({
    refs: [`tr${number} of ${saleId}`],
    cents: Math.max(1, Math.floor(totalCents * share)),
  }));
  const when = { minute, ...times };
  for (const { refs, cents } of items) {
    addBooking(days, { kind: 'transfer', refs, saleId, amountCents: -cents, feeCents: itemFee }, when);
    addPosting(days, { kind: 'transfer', saleId, ref: refs[0] ?? null, cents: -cents }, when);
  }
  addPosting(days, { kind: 'fee', saleId, ref: null, cents: -itemFee * items.length }, when);
  const [last, before] = items.toReversed();
  if (!last || ends === 'stays') return;
  const after = { ...when, minute: minute + 700 };
  const returned = { kind: 'transfer_return', saleId } as const;
  const back = [last, ...(ends === 'is taken back' && before ? [{ ...before, cents: 1 }] : [])];
  for (const { refs, cents } of back)
    addBooking(days, { ...returned, refs, amountCents: cents, feeCents: 0 }, after);
  const cents = back.reduce((sum, one) => sum + one.cents, 0);
  const ref = ends === 'comes back' ? (last.refs[0] ?? null) : null;
  addPosting(days, { ...returned, ref, cents }, after);
}
