import { DAY, HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/**
 * How many listings one account, one network address, and all visitors together may report. The last one bounds what a flood from
 * many addresses can put on the administrators' list.
 */
export const reportLimits = {
  account: [per('listing-report', 10, HOUR), per('listing-report-day', 30, DAY)],
  address: [per('listing-report-address', 5, HOUR), per('listing-report-address-day', 15, DAY)],
  visitors: [per('listing-report-visitors', 100, HOUR)],
} as const;
