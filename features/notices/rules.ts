import { hasRole, signedIn } from '#platform/access.ts';

/** Everyone reads and confirms their own. */
export const mayReadOwnNotices = signedIn;
export const mayPostNotices = hasRole('admin');
