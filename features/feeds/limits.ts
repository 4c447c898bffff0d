import { MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of feeds: by search, and of calendars by user. */
export const feedLimits = {
  search: [per('search-feed', 60, MINUTE)],
  calendar: [per('closing-calendar', 30, MINUTE)],
} as const;
