import { DAY, HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of imports. */
export const importLimits = {
  upload: [per('listing-import', 20, HOUR), per('listing-import-day', 60, DAY)],
} as const;
