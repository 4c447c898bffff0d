import { signedIn } from '#platform/access.ts';

/** Any signed-in user may watch. */
export const mayWatch = signedIn;

/** How many properties are compared side by side: more than four are no longer seen together. */
export const MIN_COMPARED = 2;
export const MAX_COMPARED = 4;

export const SIGN_IN_TO_WATCH = {
  title: 'Sign in Required',
  text: 'Please sign in to watch properties and receive updates',
} as const;
export const WATCH_FAILED = 'Failed to update watch status';
