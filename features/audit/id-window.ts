/** Ids of the audit log that one statement looks at, so that each is short however long the log is. */
export const ID_WINDOW = 20_000;
