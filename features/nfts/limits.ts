import { HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of tokens, by administrator: each costs a transaction. */
export const nftLimits = {
  create: [per('create-nft', 60, HOUR)],
  resolve: [per('resolve-name', 30, MINUTE)],
} as const;
