import { HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of sales. */
export const saleLimits = {
  act: [per('act-on-sale', 20, MINUTE)],
  file: [per('seller-file', 20, HOUR)],
  receipt: [per('receipt-file', 20, MINUTE)],
} as const;
