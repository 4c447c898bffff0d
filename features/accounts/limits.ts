import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of the account forms. */
export const accountLimits = {
  /**
   * Five attempts, then growing delays; by account and network, or by account in a browser where its password was entered
   * before: nobody can lock an owner out from elsewhere.
   */
  signIn: [per('sign-in', 5, MINUTE), per('sign-in-quarter', 10, 15 * MINUTE), per('sign-in-day', 40, DAY)],
  /** all networks together trying one account */
  signInByAccount: [per('sign-in-account', 100, HOUR), per('sign-in-account-day', 300, DAY)],
  /** one address trying many accounts */
  signInByAddress: [per('sign-in-address', 30, 5 * MINUTE)],
  /** by network */
  signUp: [per('sign-up', 10, HOUR)],
  /** by e-mail address and network, whether or not an account exists */
  passwordReset: [per('password-reset', 3, HOUR)],
  /** mails to one address, requested from wherever */
  resetMails: [per('reset-mails', 6, HOUR)],
  confirmMails: [per('confirm-mails', 6, HOUR)],
  /** one confirmation mail a minute, by address and network */
  resend: [per('resend', 1, MINUTE), per('resend-hour', 5, HOUR)],
  /** mails requested for any e-mail address, by the requester's IP address */
  mailsByAddress: [per('mails-address', 20, HOUR)],
  newPasswordByAddress: [per('new-password-address', 20, HOUR)],
  confirmByAddress: [per('confirm-address', 60, HOUR)],
  /** second factors after the right password, by account: six digits must not be guessed, not even over many days */
  secondStep: [per('second-step', 5, 5 * MINUTE), per('second-step-day', 30, DAY)],
  changeEmail: [per('change-email', 5, HOUR)],
  changePassword: [per('change-password', 5, 15 * MINUTE)],
} as const;
