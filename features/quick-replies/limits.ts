import { HOUR } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of quick replies, by account. */
export const quickReplyLimits = {
  save: [per('quick-reply', 120, HOUR)],
} as const;
