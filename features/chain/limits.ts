import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of what asks the chain, or writes to it. */
export const chainLimits = {
  /** by address: a check asks the chain's node */
  verify: [per('verify-document', 30, MINUTE)],
  /** by buyer */
  claim: [per('claim-token', 20, MINUTE)],
} as const;
