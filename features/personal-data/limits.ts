import { HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits for exporting personal data and for attempts to close the account. */
export const personalDataLimits = {
  export: [per('export-data', 10, HOUR)],
  close: [per('close-account', 5, 15 * MINUTE)],
} as const;
