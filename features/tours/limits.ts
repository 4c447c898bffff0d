import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of tours, by account. */
export const tourLimits = {
  request: [per('tour', 5, MINUTE), per('tour-day', 20, DAY)],
  change: [per('tour-change', 20, MINUTE), per('tour-change-day', 200, DAY)],
  hours: [per('tour-hours', 60, HOUR)],
} as const;
