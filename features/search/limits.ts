import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Searches are kept for so many days; the sums of the reports for good. */
export const SEARCH_RETENTION_DAYS = 400;

/** Rate limits of recorded searches, by network. */
export const searchLimits = {
  record: [per('search-record', 60, MINUTE)],
} as const;
