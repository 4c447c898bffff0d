import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of the payout settings. */
export const payoutLimits = {
  save: [per('seller-payout', 10, HOUR)],
} as const;
