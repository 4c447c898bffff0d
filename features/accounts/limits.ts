import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of the account forms. */
export const accountLimits = {
  /** five attempts, then growing delays; by account and address */
  signIn: [per('sign-in', 5, MINUTE), per('sign-in-quarter', 10, 15 * MINUTE), per('sign-in-day', 40, DAY)],
  /** one address trying many accounts */
  signInByAddress: [per('sign-in-address', 30, 5 * MINUTE)],
  signUp: [per('sign-up', 10, HOUR)],
  /** by e-mail address, whether or not an account exists */
  passwordReset: [per('password-reset', 3, HOUR)],
  /** one confirmation mail a minute */
  resend: [per('resend', 1, MINUTE), per('resend-hour', 5, HOUR)],
  /** mails requested for any e-mail address, by the requester's IP address */
  mailsByAddress: [per('mails-address', 20, HOUR)],
  newPasswordByAddress: [per('new-password-address', 20, HOUR)],
  confirmByAddress: [per('confirm-address', 60, HOUR)],
  changePassword: [per('change-password', 5, 15 * MINUTE)],
} as const;
