import { HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of checks, by network: numbers of receipts follow one another. */
export const verificationLimits = {
  check: [per('verify', 20, MINUTE), per('verify-hour', 200, HOUR)],
} as const;
