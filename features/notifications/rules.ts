import { anyone, nobody, signedIn } from '#platform/access.ts';
import type { NotificationPreferences, PropertyNotification, Topic } from './model.ts';

/** Every signed-in user has notifications and preferences, and sees only their own. */
export const mayManageOwnNotifications = signedIn;
/** The signed link identifies the user, so no sign-in is needed. */
export const mayUnsubscribe = anyone;
/** Mails are sent by a scheduled job only. */
export const maySendMails = nobody;

/** The preferences of a user who never changed them; the zone, until their browser has told it at a sign-in. */
export const DEFAULT_PREFERENCES: NotificationPreferences = {
  mailPropertyUpdates: true,
  mailMessages: true,
  mailSavedSearches: true,
  digestHour: 8,
  timeZone: 'America/New_York',
};

export const isDigestHour = (hour: number): boolean => Number.isInteger(hour) && hour >= 0 && hour <= 23;

/** True for the name of a time zone, like 'America/New_York'. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+/-]*$/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What kind of price a notification tells; null for other types. Those stored long ago tell the price without fees. */
export function priceLabel(type: PropertyNotification['type'], withFees: boolean): string | null {
  if (type !== 'price_change') return null;
  return withFees ? 'Total price' : 'Base price';
}

/** The preference column for each topic. */
export const topicColumn = {
  messages: 'mail_messages',
  property_updates: 'mail_property_updates',
  saved_searches: 'mail_saved_searches',
  weekly_report: 'mail_weekly_report',
} as const satisfies Record<Topic, string>;

/** Whether a price went up or down, parsed from its stored display text; null for anything but a price. */
export function priceDirection(previous: string | null, now: string | null): 'up' | 'down' | null {
  const [before, after] = [previous, now].map((text) =>
    Number((text ?? '').replace(/[$,]/g, '') || Number.NaN),
  );
  if (before === undefined || after === undefined || Number.isNaN(before) || Number.isNaN(after)) return null;
  return after < before ? 'down' : 'up';
}
