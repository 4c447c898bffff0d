import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of reports as files. */
export const reportLimits = {
  file: [per('report-file', 120, HOUR)],
} as const;
