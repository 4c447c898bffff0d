import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of disclosures. */
export const disclosureLimits = {
  upload: [per('disclosure', 20, HOUR)],
} as const;
