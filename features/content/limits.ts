import { HOUR, MINUTE, SECOND } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of what administrators try with the store. */
export const contentLimits = {
  trial: [per('content-trial', 10, MINUTE), per('content-trial-hour', 100, HOUR)],
} as const;

/** Attempts to publish a document before it counts as failed. */
export const MAX_ATTEMPTS = 8;

/** The delay after a failed attempt: half a minute, twice that after each further one, at most an hour. */
export const retryDelayMs = (attempts: number): number => Math.min(30 * SECOND * 2 ** (attempts - 1), HOUR);

/** So long one process alone works on an address; longer than any request to a store takes. */
export const LEASE_MS = 10 * MINUTE;
