import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

export const auditLimits = {
  /** a file may hold millions of rows */
  export: [per('export-history', 20, HOUR)],
} as const;
