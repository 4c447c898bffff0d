/** How many recovery codes an account gets at a time. */
export const RECOVERY_CODES = 10;
