import { anyone, signedIn } from '#platform/access.ts';
import type { UnreadCounts } from './model.ts';

/** Everybody has a count; for visitors it is zero. */
export const mayCountUnread = anyone;

/** What a user has not seen is for that user alone. */
export const mayOpenBell = signedIn;

export const NOTHING_UNREAD: UnreadCounts = { inquiries: 0, messages: 0, updates: 0, matches: 0 };

/** The number on the bell. */
export const totalUnread = ({ inquiries, messages, updates, matches }: UnreadCounts): number =>
  inquiries + messages + updates + matches;
