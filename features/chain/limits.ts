import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of what asks the chain. */
export const chainLimits = {
  /** by address: a check asks the chain's node */
  verify: [per('verify-document', 30, MINUTE)],
} as const;
