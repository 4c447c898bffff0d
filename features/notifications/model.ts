export type NotificationType = 'price_change' | 'status_change';

/** A change of a watched property. Values are words to show: '$742,000', 'In Escrow' (B-219). */
export interface PropertyNotification {
  id: string;
  type: NotificationType;
  /** of a price; null where that is no question (B-220) */
  direction: 'up' | 'down' | null;
  propertyId: string;
  address: string;
  /** false when the viewer may not see the property's page any more */
  canOpen: boolean;
  message: string;
  previousValue: string | null;
  newValue: string | null;
  isRead: boolean;
  /** ISO, UTC */
  at: string;
}

/** A page of notifications, newest first. */
export interface NotificationPage {
  rows: PropertyNotification[];
  /** all unread ones, also those of other pages */
  unread: number;
  /** where the next, older page begins; null on the last one */
  before: string | null;
}

/** Which mails somebody gets. `digestHour` is 0–23, UTC: when mails are sent that wait for a daily one. */
export interface Preferences {
  mailPropertyUpdates: boolean;
  mailMessages: boolean;
  mailSavedSearches: boolean;
  digestHour: number;
}

/** What a mail can be about that somebody may not want. */
export type Topic = 'messages' | 'property_updates' | 'saved_searches';

export const topicWords: Record<Topic, string> = {
  messages: 'mails about new messages',
  property_updates: 'mails about changes of watched properties',
  saved_searches: 'mails about saved searches',
};

export type UnsubscribeResult = { ok: true; topic: Topic } | { ok: false };

export const NO_UPDATES = 'No property updates to show';
export const MARK_READ_FAILED = 'Failed to mark notification as read';
export const UPDATE_TITLE = 'Property Update';
