/** A property in the feed of a saved search. Money in integer cents. */
export interface FeedItem {
  propertyId: string;
  address: string;
  town: string;
  totalCents: number;
  matchedAt: Date;
}

/** The newest matches of a saved search. */
export interface SearchFeed {
  name: string;
  brand: string;
  items: FeedItem[];
}

/** A date of a sale in escrow. */
export interface ClosingDate {
  saleId: string;
  /** what is due, and by whom */
  kind: 'documents' | 'confirmation';
  party: 'buyer' | 'seller';
  address: string;
  dueAt: Date;
  changedAt: Date;
}

/** Matches that a feed shows. */
export const FEED_ITEMS = 50;
/** Dates that a calendar has. */
export const MOST_DATES = 500;
