import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of recorded views, by network. */
export const viewLimits = {
  record: [per('view', 120, MINUTE)],
} as const;
