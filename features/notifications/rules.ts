import { anyone, nobody, signedIn } from '#platform/access.ts';
import type { Preferences, Topic } from './model.ts';

/** One's own notifications and preferences; nobody has others (S0 §6). */
export const mayHaveNotifications = signedIn;
/** The signed link says whose mails are meant; who opens it need not be signed in. */
export const mayUnsubscribe = anyone;
/** Mails that wait are sent by the clock. */
export const maySendMails = nobody;

/** What holds for somebody who never chose. */
export const DEFAULT_PREFERENCES: Preferences = {
  mailPropertyUpdates: true,
  mailMessages: true,
  mailSavedSearches: true,
  digestHour: 8,
};

export const isDigestHour = (hour: number): boolean => Number.isInteger(hour) && hour >= 0 && hour <= 23;

/** The column of the preferences that says whether mails of a topic are wanted. */
export const topicColumn = {
  messages: 'mail_messages',
  property_updates: 'mail_property_updates',
  saved_searches: 'mail_saved_searches',
} as const satisfies Record<Topic, string>;

/** Whether a price went up or down, from the words in which it is stored; null for what is no price (B-220). */
export function directionOf(previous: string | null, now: string | null): 'up' | 'down' | null {
  const [before, after] = [previous, now].map((text) =>
    Number((text ?? '').replace(/[$,]/g, '') || Number.NaN),
  );
  if (before === undefined || after === undefined || Number.isNaN(before) || Number.isNaN(after)) return null;
  return after < before ? 'down' : 'up';
}
