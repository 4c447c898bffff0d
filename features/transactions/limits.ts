import { DAY, HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of files with sales. */
export const transactionLimits = {
  /** a file may hold 100,000 sales */
  file: [per('transactions-file', 20, HOUR)],
  /** one that is prepared may hold millions */
  prepare: [per('transactions-prepare', 5, HOUR)],
} as const;

/** When a file that was neither finished nor given up is no longer waited for. */
export const PREPARING_LASTS_MS = DAY;
