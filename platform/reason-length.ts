/** Longest reason that an administrator gives for what happens to a person, a sale or a run of payouts, in characters. */
export const REASON_MAX_LENGTH = 2_000;
/** The same for what happens to a single thing, such as a message, a payout or a property. */
export const SHORT_REASON_MAX_LENGTH = 500;
