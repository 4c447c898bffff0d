import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of registration and invitations. */
export const sellerLimits = {
  register: [per('seller-register', 20, HOUR)],
  /** one invitation a minute for each seller */
  invite: [per('seller-invite', 1, MINUTE)],
  /** links that anyone who knows a seller's id can have mailed to the invited address */
  linkMails: [per('seller-link', 1, MINUTE), per('seller-link-day', 5, DAY)],
} as const;
