import type { InboxRow } from '#features/inquiries/model.ts';
import type { PropertyNotification } from '#features/notifications/model.ts';
import type { SavedSearchMatch } from '#features/saved-searches/model.ts';

/** How much of each kind a user has not seen. The bell shows the sum, every tab and sidebar row one of them. */
export interface UnreadCounts {
  /** inquiries about the seller's own listings that are pending; 0 for everybody else */
  inquiries: number;
  /** unread messages in the user's own inquiries */
  messages: number;
  /** unread changes of watched properties */
  updates: number;
  /** new listings among the matches of saved searches */
  matches: number;
}

/** What the panel of the bell lists: the newest of each kind. */
export interface BellContent {
  counts: UnreadCounts;
  /** pending inquiries about the seller's own listings */
  inquiries: InboxRow[];
  /** the user's own inquiries with unread messages */
  messages: InboxRow[];
  /** read ones too, so that the panel is not empty after a look at it */
  updates: PropertyNotification[];
  matches: SavedSearchMatch[];
}

/** How many rows of each kind the panel lists. */
export const BELL_ROWS = 5;

export const MARK_ALL_FAILED = 'Could not mark everything as read. Please try again.';
