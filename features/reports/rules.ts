import { hasRole, nobody } from '#platform/access.ts';
import { startsOfDays } from './zone-days.ts';

/** The figures of the whole marketplace are for administrators alone. */
export const mayReadReports = hasRole('admin');

/** Sums are kept by jobs. */
export const mayKeepReports = nobody;

/** The weekly report is mailed by a timer. */
export const maySendWeeklyMails = nobody;

/**
 * The instant at which a calendar day begins in a time zone.
 * @throws RangeError for an unknown zone
 */
export function startOfDay(day: string, zone: string): Date {
  const [start = new Date(day)] = startsOfDays([day], zone);
  return start;
}
