import type { PropertiesQuery } from '#app/paths.ts';

/** When new matches are mailed: at once, or folded together at the person's digest hour. */
export type Cadence = 'instant' | 'daily';

export const cadenceLabels: Record<Cadence, string> = {
  instant: 'As soon as it is listed',
  daily: 'Once a day',
};

export const SIGN_IN_TO_SAVE = {
  title: 'Sign in Required',
  text: 'Please sign in to save searches and hear of new properties',
} as const;

/** Searches that one person may keep. */
export const MOST_SAVED = 50;
export const MOST_NAME = 80;
/** Matches that the list shows of each search. */
export const SHOWN_MATCHES = 5;

export const savedSearchLimits = {
  save: [{ name: 'save-search', limit: 30, windowSeconds: 600 }],
} as const;

export type SearchFieldErrors = Partial<Record<'name' | 'cadence', string>>;

/** A listing that a saved search found. Money in integer cents, time in ISO UTC. */
export interface SavedSearchMatch {
  propertyId: string;
  address: string;
  town: string;
  totalCents: number;
  matchedAt: string;
  isNew: boolean;
}

/** One of a person's saved searches as the list shows it. */
export interface SavedSearch {
  id: string;
  name: string;
  cadence: Cadence;
  /** 'Single Family · 3+ bedrooms · up to $500,000' */
  description: string;
  /** the address of the list with these criteria */
  query: PropertiesQuery;
  /** matches that the person has not seen here yet */
  newCount: number;
  /** the newest, at most five */
  matches: SavedSearchMatch[];
}

/** What a form about saved searches is answered: what to say, and what was typed wrong. */
export interface SavedSearchAnswer {
  ok: boolean;
  toast?: { title: string; text?: string; tone?: 'ok' | 'bad' | 'info' };
  errors?: SearchFieldErrors;
}
