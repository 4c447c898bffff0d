import type { PropertiesQuery } from '#routing/paths.ts';

/** When new matches are mailed: at once, or in one mail at the user's digest hour. */
export type Cadence = 'instant' | 'daily';

export const cadenceLabels: Record<Cadence, string> = {
  instant: 'As soon as it is listed',
  daily: 'Once a day',
};

export const SIGN_IN_TO_SAVE = {
  title: 'Sign in Required',
  text: 'Please sign in to save searches and be notified about new properties',
} as const;

/** How many searches a user may save. */
export const MAX_SAVED_SEARCHES = 50;
export const MAX_NAME_LENGTH = 80;
/** How many matches of each search the list shows. */
export const SHOWN_MATCHES = 5;

export type SearchFieldErrors = Partial<Record<'name' | 'cadence', string>>;

/** A listing that matches a saved search. Money in integer cents, time in ISO 8601 UTC. */
export interface SavedSearchMatch {
  propertyId: string;
  address: string;
  town: string;
  totalCents: number;
  matchedAt: string;
  isNew: boolean;
}

/** A saved search as shown in the list. */
export interface SavedSearch {
  id: string;
  name: string;
  cadence: Cadence;
  /** 'Single Family · 3+ bedrooms · up to $500,000' */
  description: string;
  /** the query of the property list with these criteria */
  query: PropertiesQuery;
  /** matches that the user has not marked as seen */
  newCount: number;
  /** the newest, at most five */
  matches: SavedSearchMatch[];
}
