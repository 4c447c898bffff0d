import { DAY, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of the checkout. */
export const checkoutLimits = {
  /** R18; unpaid checkouts are limited separately, by counting the sales themselves */
  begin: [per('begin-purchase', 10, MINUTE), per('begin-purchase-day', 100, DAY)],
  open: [per('open-checkout', 20, MINUTE)],
  diagnose: [per('diagnostics', 5, MINUTE)],
} as const;
