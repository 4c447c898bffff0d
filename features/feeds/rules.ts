import { anyone, signedIn } from '#platform/access.ts';

/** The signature in the address says that its reader was given it. */
export const mayReadFeed = anyone;
/** Everyone may have the address of their own searches, and the dates of their own sales. */
export const mayHaveFeeds = signedIn;
