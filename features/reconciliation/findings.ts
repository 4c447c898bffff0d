import {
  type Booking,
  type ClearingPosting,
  CURRENCY,
  isOverdue,
  isTransfer,
  type NamedSale,
  partCents,
  postingKind,
  type Statement,
} from './facts.ts';
import { byTime, type Matching, matchStatement, mayBe } from './matching.ts';
import type { BreakKind } from './model.ts';

/** Provider and books disagree about a booking, a posting, or both. Integer cents, as changes of our balance. */
export interface Finding {
  kind: BreakKind;
  /** null when the provider booked nothing */
  bookingId: string | null;
  /** the postings that are about the same thing */
  postingIds: number[];
  saleId: string | null;
  theirsCents: number;
  oursCents: number;
}

/** The result of reconciling one provider account. */
export interface Reconciliation extends Matching {
  findings: Finding[];
}

/**
 * Matches a statement and says what is wrong with the rest (R7). What may only be late is no finding: a booking has a day to be
 * posted, a posting its method's bound to be booked. What time cannot mend is one at once.
 */
export function reconcileStatement(statement: Statement): Reconciliation {
  const matching = matchStatement(statement);
  const left = new Set(matching.postings);
  const paid = settledPayments(statement, matching);
  const findings: Finding[] = [];
  for (const booking of byTime(matching.bookings)) {
    const counterparts = counterpartsOf(booking, left, isOverdue(booking, statement.now));
    const kind = kindOf(booking, statement, counterparts.length > 0, paid);
    if (booking.kind === 'payment' && booking.saleId !== null) paid.add(booking.saleId);
    if (kind === null) continue;
    for (const posting of counterparts) left.delete(posting);
    findings.push({
      kind,
      bookingId: booking.id,
      postingIds: counterparts.map(({ id }) => id),
      saleId: booking.saleId,
      theirsCents: booking.open.reduce((sum, part) => sum + partCents(booking, part), 0),
      oursCents: counterparts.reduce((sum, { cents }) => sum + cents, 0),
    });
  }
  for (const posting of left)
    if (statement.now.getTime() - posting.at.getTime() > statement.boundMs)
      findings.push({
        kind:
          posting.kind === 'fee' && posting.saleId !== null && paid.has(posting.saleId)
            ? 'fee_drift'
            : 'missing_at_provider',
        bookingId: null,
        postingIds: [posting.id],
        saleId: posting.saleId,
        theirsCents: 0,
        oursCents: posting.cents,
      });
  return { ...matching, findings };
}

/** The sales of which a payment is settled, before or now. */
function settledPayments({ sales, bookings }: Statement, { matches }: Matching): Set<string> {
  const paid = new Set([...sales].filter(([, sale]) => sale.paymentSettled).map(([id]) => id));
  const byId = new Map(bookings.map((booking) => [booking.id, booking]));
  for (const { bookingId, parts } of matches) {
    const booking = byId.get(bookingId);
    if (booking?.kind === 'payment' && booking.saleId !== null && parts.includes('amount'))
      paid.add(booking.saleId);
  }
  return paid;
}

/**
 * For each open part of a booking the posting that is about the same thing with another amount: by its reference, or, once the
 * booking's own can no longer be expected, of its sale and kind without a reference.
 */
function counterpartsOf(
  booking: Booking,
  left: ReadonlySet<ClearingPosting>,
  overdue: boolean,
): ClearingPosting[] {
  const found: ClearingPosting[] = [];
  for (const part of booking.open) {
    const kind = postingKind(booking, part);
    for (const posting of left)
      if (
        posting.kind === kind &&
        !found.includes(posting) &&
        mayBe(posting, booking) &&
        (posting.ref !== null || (overdue && posting.saleId !== null && posting.saleId === booking.saleId))
      ) {
        found.push(posting);
        break;
      }
  }
  return found;
}

/** The kind of break that an unmatched booking is; null while it may only be late. */
function kindOf(
  booking: Booking,
  { accountId, sales, ownRefunds, runningRefunds, runningTransfers, paysBy, now }: Statement,
  posted: boolean,
  paid: ReadonlySet<string>,
): BreakKind | null {
  const sale: NamedSale | undefined = booking.saleId === null ? undefined : sales.get(booking.saleId);
  if (booking.currency !== CURRENCY) return 'unknown_currency';
  if (sale && sale.accountId !== null && sale.accountId !== accountId && !isTransfer(booking))
    return 'mode_mix';
  if (!booking.open.includes('amount')) return posted || isOverdue(booking, now) ? 'fee_drift' : null;
  if (booking.kind === 'payment' && booking.saleId === null) return 'orphan_charge';
  if (posted) return booking.kind === 'fee' ? 'fee_drift' : 'wrong_amount';
  if (!isOverdue(booking, now) || isRunning(booking, { runningRefunds, runningTransfers })) return null;
  switch (booking.kind) {
    case 'payment':
      if (booking.saleId !== null && paid.has(booking.saleId)) return 'duplicate_charge';
      return sale && sale.totalCents !== booking.amountCents ? 'wrong_amount' : 'missing_message';
    case 'refund':
      return booking.refs.some((ref) => ownRefunds.has(ref)) ? 'missing_message' : 'unexpected_refund';
    case 'refund_return':
    case 'dispute_return':
      return booking.saleId === null ? 'unknown_transaction' : 'missing_message';
    case 'dispute':
      return 'dispute';
    case 'transfer_return':
      if (booking.saleId === null) return 'unknown_transaction';
      return paysBy === 'paypal' ? 'payout_returned' : 'transfer_reversed';
    case 'fee':
      return 'fee_drift';
    default:
      return 'unknown_transaction';
  }
}

/**
 * A refund is posted when it has arrived, which takes banks longer than a day, and so is a transfer that the seller has yet to
 * claim; one that never does has a task of its own.
 */
const isRunning = (
  { kind, refs }: Booking,
  { runningRefunds, runningTransfers }: Pick<Statement, 'runningRefunds' | 'runningTransfers'>,
) =>
  (kind === 'refund' && refs.some((ref) => runningRefunds.has(ref))) ||
  (kind === 'transfer' && refs.some((ref) => runningTransfers.has(ref)));
