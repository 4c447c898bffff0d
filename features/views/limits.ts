import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Views are kept for so many days, to the end of the month; sums of them for good. */
export const VIEW_RETENTION_DAYS = 400;

/** Rate limits of recorded views, by network. */
export const viewLimits = {
  record: [per('view', 120, MINUTE)],
} as const;
