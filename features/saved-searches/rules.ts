import type { PropertiesQuery } from '#app/paths.ts';
import { wholeDollars } from '#features/listings/rules.ts';
import { nobody, signedIn } from '#platform/access.ts';

/** Whoever may watch a property may also wait for one. */
export const maySaveSearches = signedIn;
/** Comparing listings with everybody's searches, and mailing, is the business of jobs. */
export const mayMatch = nobody;

/** Criteria in words; prices are what the buyer pays, in cents. Null stands for what is not asked for. */
export interface DescribedCriteria {
  text: string;
  type: string | null;
  minCents: number | null;
  maxCents: number | null;
  minBeds: number | null;
  minBaths: number | null;
  onMap: boolean;
}

/** 'Single Family · “cedar hollow” · $200,000 to $400,000 · 3+ bedrooms', or 'All properties'. */
export function describeCriteria(criteria: DescribedCriteria): string {
  const { text, type, minCents, maxCents, minBeds, minBaths, onMap } = criteria;
  const parts = [
    type,
    text && `“${text}”`,
    priceWords(minCents, maxCents),
    minBeds && `${minBeds}+ ${minBeds === 1 ? 'bedroom' : 'bedrooms'}`,
    minBaths && `${minBaths}+ ${minBaths === 1 ? 'bathroom' : 'bathrooms'}`,
    onMap && 'in this part of the map',
  ].filter(Boolean);
  return parts.join(' · ') || 'All properties';
}

/** The same for the query of a list's address; `type` is the name of the type it names. */
export function describeQuery(query: PropertiesQuery, type: string | null): string {
  const number = (value: number | string | undefined) =>
    /^\d{1,10}$/.test(String(value ?? '')) ? Number(value) : null;
  const cents = (value: number | undefined) => {
    const dollars = number(value);
    return dollars === null ? null : dollars * 100;
  };
  return describeCriteria({
    text: query.q ?? '',
    type,
    minCents: cents(query.min),
    maxCents: cents(query.max),
    minBeds: number(query.beds),
    minBaths: number(query.baths),
    onMap: Boolean(query.bbox),
  });
}

function priceWords(minCents: number | null, maxCents: number | null): string | null {
  if (minCents !== null && maxCents !== null) return `${wholeDollars(minCents)} to ${wholeDollars(maxCents)}`;
  if (minCents !== null) return `from ${wholeDollars(minCents)}`;
  return maxCents === null ? null : `up to ${wholeDollars(maxCents)}`;
}

export const texts = {
  saved: { title: 'Search saved', text: 'You will hear of new properties that match.' },
  savedAlready: { title: 'Search saved already', text: 'You have saved this search before.' },
  tooMany: 'You can keep 50 saved searches. Delete one to save another.',
  findsNothing: 'This search can find nothing: it has no letter and no digit.',
  seen: { title: 'Marked as seen' },
  changed: { title: 'Saved search changed' },
  deleted: { title: 'Saved search deleted' },
} as const;

export const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
