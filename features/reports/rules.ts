import { hasRole, nobody } from '#platform/access.ts';

/** The figures of the whole marketplace are for administrators alone. */
export const mayReadReports = hasRole('admin');

/** Sums are kept by jobs. */
export const mayKeepReports = nobody;
