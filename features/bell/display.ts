import type { UnreadCounts } from './model.ts';
import { totalUnread } from './rules.ts';

const counted = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

/** '5 new: 3 unread messages, 2 property updates': what the bell counts, in words, or '0 unread messages'. */
export function unreadText(counts: UnreadCounts): string {
  const { inquiries, messages, updates, matches } = counts;
  const kinds = [
    inquiries > 0 && pendingText(inquiries),
    messages > 0 && messagesText(messages),
    updates > 0 && updatesText(updates),
    matches > 0 && matchesText(matches),
  ].filter((text) => text !== false);
  if (kinds.length === 0) return messagesText(0);
  return kinds.length === 1 ? kinds.join() : `${totalUnread(counts)} new: ${kinds.join(', ')}`;
}

/** '3 unread messages' */
export const messagesText = (count: number): string => `${count} unread messages`;
/** '1 inquiry needs a response' */
export const pendingText = (count: number): string =>
  counted(count, 'inquiry needs a response', 'inquiries need a response');
/** '2 property updates' */
export const updatesText = (count: number): string => counted(count, 'property update', 'property updates');
/** '1 new match' */
export const matchesText = (count: number): string => counted(count, 'new match', 'new matches');
