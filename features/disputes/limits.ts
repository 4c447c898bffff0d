import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of what administrators do about disputes. */
export const disputeLimits = {
  decide: [per('decide-dispute', 30, MINUTE)],
} as const;
