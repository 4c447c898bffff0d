import { HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of API keys, besides the one that each key has. */
export const apiKeyLimits = {
  create: [per('api-key-create', 20, HOUR)],
  /** by address: secrets that are no key */
  unknown: [per('api-key-unknown', 60, MINUTE)],
} as const;
