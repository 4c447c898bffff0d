type NotificationType = 'price_change' | 'status_change' | 'tour';

/** A change of a watched property, or what happened to a tour. Values are formatted for display: '$757,335', 'In Escrow'. */
export interface PropertyNotification {
  id: string;
  type: NotificationType;
  /** of a price change; null for other types */
  direction: 'up' | 'down' | null;
  propertyId: string;
  address: string;
  /** false if the viewer may no longer see the property's page */
  canOpen: boolean;
  message: string;
  previousValue: string | null;
  newValue: string | null;
  /** what kind of price the values are: 'Total price'; null for other types */
  priceLabel: string | null;
  isRead: boolean;
  /** ISO 8601, UTC */
  at: string;
}

/** A page of notifications, newest first. */
export interface NotificationPage {
  rows: PropertyNotification[];
  /** number of unread notifications, including those on other pages */
  unread: number;
  /** cursor of the next, older page; null on the last one */
  before: string | null;
}

/** Which mails a user gets. Daily digests are sent at `digestHour`, 0–23, by the clock of `timeZone`, an IANA name. */
export interface NotificationPreferences {
  mailPropertyUpdates: boolean;
  mailMessages: boolean;
  mailSavedSearches: boolean;
  digestHour: number;
  timeZone: string;
}

/** The topics of mail that a user can unsubscribe from. */
export type Topic = 'messages' | 'property_updates' | 'saved_searches' | 'weekly_report';

export const topicLabels: Record<Topic, string> = {
  messages: 'emails about new messages',
  property_updates: 'emails about changes to watched properties',
  saved_searches: 'emails about saved searches',
  weekly_report: 'emails with the weekly report',
};

export type UnsubscribeResult = { ok: true; topic: Topic } | { ok: false };

export const NO_UPDATES = 'No property updates to show';
export const MARK_READ_FAILED = 'Failed to mark notification as read';
export const UPDATE_TITLE = 'Property Update';
