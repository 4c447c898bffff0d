import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of files in conversations, by account. */
export const messageFileLimits = {
  send: [per('message-file', 20, HOUR), per('message-file-day', 60, DAY)],
  // A page of a conversation shows up to 50 photos.
  open: [per('message-file-link', 240, MINUTE)],
} as const;
