import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of statements as files. */
export const statementLimits = {
  file: [per('statement-file', 120, HOUR)],
} as const;
