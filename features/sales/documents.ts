import { DAY, HOUR } from '#platform/durations.ts';
import { RELEASE_GRACE_HOURS } from './model.ts';

/** How long before the documents are due the seller is reminded. */
const SOON_MS = 3 * DAY;
const LAST_DAY_MS = DAY;

/** Which reminder the seller gets. */
export type DocumentsReminder = 'soon' | 'last_day';

export interface DocumentsFacts {
  documentsDelivered: boolean;
  /** null before the sale is paid */
  documentsDueAt: Date | null;
  /** since when somebody else has blocked the seller from delivering; null while nothing does */
  blockedSince: Date | null;
  now: Date;
}

interface Obstacles {
  frozenAt: Date | null;
  /** the open problem report */
  problem: { openedBy: 'buyer' | 'seller'; at: Date } | null;
  cancellationAsked: { by: 'buyer' | 'seller' | 'admin'; at: Date } | null;
}

/**
 * Since when the seller cannot deliver for something that others did: the sale is frozen, or the buyer reported a problem or
 * asked for a cancellation. What the seller did does not count, or a seller could put the date off again and again.
 */
export function blockedSince({ frozenAt, problem, cancellationAsked }: Obstacles): Date | null {
  const starts = [
    frozenAt,
    problem?.openedBy === 'buyer' ? problem.at : null,
    cancellationAsked && cancellationAsked.by !== 'seller' ? cancellationAsked.at : null,
  ].filter((start) => start !== null);
  return starts.length > 0 ? new Date(Math.min(...starts.map(Number))) : null;
}

/**
 * Whether the seller has let the date pass. It does not pass while others block the seller from delivering: a buyer could
 * otherwise report a problem, wait, and leave at the seller's cost, and a dispute at the buyer's bank would do the same. Once
 * it has passed, though, nothing that happens afterwards gives the seller a new one.
 */
export function documentsOverdue({
  documentsDelivered,
  documentsDueAt,
  blockedSince: since,
  now,
}: DocumentsFacts): boolean {
  if (documentsDelivered || documentsDueAt === null || documentsDueAt > now) return false;
  return since === null || since >= documentsDueAt;
}

/**
 * The date after an obstacle has been cleared: the seller has at least 72 hours from then, as long as a buyer has to object
 * again before a release. Null when the date stays.
 */
export function postponedDueAt({
  documentsDelivered,
  documentsDueAt,
  blockedSince: since,
  now,
}: DocumentsFacts): Date | null {
  if (documentsDelivered || documentsDueAt === null || since === null || since >= documentsDueAt) return null;
  const earliest = new Date(now.getTime() + RELEASE_GRACE_HOURS * HOUR);
  return earliest > documentsDueAt ? earliest : null;
}

/** The reminder that is due now; null while it is too early, and once the date has come. */
export function reminderDue(dueAt: Date, now: Date): DocumentsReminder | null {
  const left = dueAt.getTime() - now.getTime();
  if (left <= 0 || left > SOON_MS) return null;
  return left <= LAST_DAY_MS ? 'last_day' : 'soon';
}

/** When there is something to tell next about documents that are due then. */
export function nextDocumentsCheck(dueAt: Date, now: Date): Date {
  const times = [SOON_MS, LAST_DAY_MS].map((ms) => new Date(dueAt.getTime() - ms));
  return times.find((time) => time > now) ?? dueAt;
}
