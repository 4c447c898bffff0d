import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of proofs of ownership. */
export const ownershipLimits = {
  upload: [per('ownership-proof', 10, HOUR)],
} as const;
