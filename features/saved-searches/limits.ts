import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of saved searches. */
export const savedSearchLimits = {
  save: [per('save-search', 30, 10 * MINUTE)],
} as const;
