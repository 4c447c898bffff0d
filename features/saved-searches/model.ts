import { z } from 'zod';
import type { PropertiesQuery } from '#app/paths.ts';

/** When new matches are mailed: at once, or folded together at the person's digest hour. */
export type Cadence = 'instant' | 'daily';

export const cadenceLabels: Record<Cadence, string> = {
  instant: 'As soon as it is listed',
  daily: 'Once a day',
};

/** Searches that one person may keep. */
export const MOST_SAVED = 50;
export const MOST_NAME = 80;
/** Matches that the list shows of each search. */
export const SHOWN_MATCHES = 5;

export const savedSearchLimits = {
  save: [{ name: 'save-search', limit: 30, windowSeconds: 600 }],
} as const;

const name = z
  .string('Name is required')
  .trim()
  .min(1, 'Name is required')
  .max(MOST_NAME, `Name must be at most ${MOST_NAME} characters`);
const cadence = z.enum(['instant', 'daily'], 'Choose when to be told');

export const saveSearchSchema = z.object({ name, cadence });
export const changeSearchSchema = z.object({ name: name.optional(), cadence: cadence.optional() });

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
