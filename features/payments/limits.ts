import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of what administrators do to payments. */
export const paymentLimits = {
  decide: [per('decide-payment', 30, MINUTE)],
} as const;
