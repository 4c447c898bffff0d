import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of messages between buyers and sellers. */
export const inquiryLimits = {
  inquiry: [per('inquiry', 3, MINUTE), per('inquiry-day', 10, DAY)],
  reply: [per('reply', 30, MINUTE), per('reply-day', 500, DAY)],
  notification: [per('message-notification', 30, MINUTE)],
  report: [per('report', 10, HOUR)],
} as const;
