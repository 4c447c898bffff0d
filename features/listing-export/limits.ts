import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of exports, by seller. */
export const exportLimits = { file: [per('listing-export', 20, HOUR)] } as const;
