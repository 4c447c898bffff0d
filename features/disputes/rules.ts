import { hasRole, nobody } from '#platform/access.ts';
import { DAY } from '#platform/durations.ts';

export const mayDecideDisputes = hasRole('admin');
/** For timers only. */
export const mayAnswerDisputes = nobody;

/** A dispute that nobody has dealt with is answered this long before its deadline, so that there is time for retries. */
export const ANSWER_BEFORE_DEADLINE = 2 * DAY;

/** Longest statement of an administrator, in characters. */
export const STATEMENT_MAX_LENGTH = 4_000;
