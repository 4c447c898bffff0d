import { hasRole, nobody } from '#platform/access.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

export const mayDecideDisputes = hasRole('admin');
/** For timers only. */
export const mayAnswerDisputes = nobody;

export const disputeLimits = {
  decide: [per('decide-dispute', 30, MINUTE)],
} as const;

/** A dispute that nobody has dealt with is answered this long before its deadline, so that there is time for retries. */
export const ANSWER_BEFORE_DEADLINE = 2 * DAY;

/** Longest statement of an administrator, and longest reason, in characters. */
export const STATEMENT_MAX_LENGTH = 4_000;
export const REASON_MAX_LENGTH = 2_000;
