import { DAY, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Attempts at proofs and at setting up factors, by account: six digits must not be guessed, not even over many days. */
export const factorLimits = {
  proof: [per('proof', 5, 5 * MINUTE), per('proof-day', 60, DAY)],
  setUp: [per('set-up-factor', 10, 5 * MINUTE)],
} as const;
