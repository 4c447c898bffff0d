import { hasRole, nobody } from '#platform/access.ts';

/** The figures of the whole marketplace are for administrators alone. */
export const mayReadReports = hasRole('admin');

/** Sums are kept by jobs. */
export const mayKeepReports = nobody;

/** The weekly report is mailed by a timer. */
export const maySendWeeklyMails = nobody;
