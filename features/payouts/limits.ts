import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of the payout settings. */
export const payoutLimits = {
  save: [per('seller-payout', 10, HOUR)],
  /** each is a request or two to the provider; coming back from its page counts, too */
  account: [per('seller-account', 60, HOUR)],
} as const;
