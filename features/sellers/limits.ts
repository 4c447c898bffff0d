import { HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of registration and invitations. */
export const sellerLimits = {
  register: [per('seller-register', 20, HOUR)],
  /** one invitation a minute for each seller */
  invite: [per('seller-invite', 1, MINUTE)],
} as const;
