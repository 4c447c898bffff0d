import { nobody } from '#platform/access.ts';

/** What follows from money that went back, or came back, is for jobs. */
export const mayFollowShares = nobody;
