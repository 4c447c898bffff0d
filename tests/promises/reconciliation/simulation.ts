import type { Booking, ClearingPosting } from '#features/reconciliation/facts.ts';
import { type Finding, reconcileStatement } from '#features/reconciliation/findings.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { ACCOUNT, at, type Days } from './days.ts';

/** How often the job runs. */
const EVERY = 6 * HOUR;
const BOUND = 3 * DAY;
/** Days after the last one, in which everything late arrives. */
const AFTERMATH = 6 * DAY;

export interface Outcome {
  /** each once, as first found */
  findings: Finding[];
  /** cents booked, whichever way, and those that were matched within a day of their booking */
  volumeCents: number;
  promptCents: number;
  /** bookings and postings that nothing was matched with in the end */
  left: { bookings: Booking[]; postings: ClearingPosting[] };
}

/** Runs the reconciliation again and again while the days pass. */
export function simulate(days: Days): Outcome {
  let bookings: Booking[] = [];
  let postings: ClearingPosting[] = [];
  const sales = new Map(days.sales);
  const found = new Map<string, Finding>();
  const arrivals = [...days.bookings].sort(
    (one, other) => one.visibleAt.getTime() - other.visibleAt.getTime(),
  );
  const posted = [...days.postings].sort((one, other) => one.at.getTime() - other.at.getTime());
  const sizes = new Map(
    arrivals.map(({ booking }) => [booking.id, Math.abs(booking.amountCents) + Math.abs(booking.feeCents)]),
  );
  const outcome: Outcome = {
    findings: [],
    volumeCents: [...sizes.values()].reduce((sum, cents) => sum + cents, 0),
    promptCents: 0,
    left: { bookings: [], postings: [] },
  };
  const times = [...arrivals.map(({ visibleAt }) => visibleAt), ...posted.map((posting) => posting.at)];
  const end = times.reduce((last, time) => Math.max(last, time.getTime()), 0) + AFTERMATH;
  for (let time = at(0).getTime(); time <= end; time += EVERY) {
    const now = new Date(time);
    while (arrivals[0] && arrivals[0].visibleAt <= now)
      bookings.push(...arrivals.splice(0, 1).map(({ booking }) => ({ ...booking, dueFrom: now })));
    while (posted[0] && posted[0].at <= now) postings.push(...posted.splice(0, 1));
    const before = new Map(bookings.map((booking) => [booking.id, booking]));
    const result = reconcileStatement({
      accountId: ACCOUNT,
      bookings,
      postings,
      sales,
      ownRefunds: days.ownRefunds,
      runningRefunds: new Set(),
      runningTransfers: new Set(),
      paysBy: days.paysBy,
      breakRefunds: new Set(),
      now,
      boundMs: BOUND,
    });
    ({ bookings, postings } = result);
    const open = new Set(bookings.map(({ id }) => id));
    for (const [id, booking] of before)
      if (!open.has(id) && time - booking.at.getTime() <= DAY) outcome.promptCents += sizes.get(id) ?? 0;
    for (const { bookingId, parts } of result.matches) {
      const { kind, saleId } = before.get(bookingId) ?? {};
      const sale = saleId ? sales.get(saleId) : undefined;
      if (saleId && sale && kind === 'payment' && parts.includes('amount'))
        sales.set(saleId, { ...sale, paymentSettled: true });
    }
    for (const finding of result.findings) {
      const key = finding.bookingId ?? `posting ${finding.postingIds.join()}`;
      if (!found.has(key)) found.set(key, finding);
    }
  }
  return { ...outcome, findings: [...found.values()], left: { bookings, postings } };
}
