import { type AmenityKey, amenityLabels } from '#features/search/model.ts';
import { nobody, signedIn } from '#platform/access.ts';
import { wholeDollars } from '#platform/money.ts';
import type { PropertiesQuery } from '#routing/paths.ts';

/** Any signed-in user may save searches. */
export const maySaveSearches = signedIn;
/** Only jobs match listings against everybody's searches and send mails. */
export const mayMatchListings = nobody;

/** Criteria for display; prices are what the buyer pays, in cents. Null means no restriction. */
export interface DescribedCriteria {
  text: string;
  type: string | null;
  minCents: number | null;
  maxCents: number | null;
  minBeds: number | null;
  minBaths: number | null;
  minSqft?: number | null;
  maxSqft?: number | null;
  minLotSqft?: number | null;
  maxLotSqft?: number | null;
  minYear?: number | null;
  maxYear?: number | null;
  amenities?: readonly AmenityKey[];
  keywords?: string;
  onMap: boolean;
  /** in an area drawn on the map */
  drawn?: boolean;
}

/** 'Single Family · “cedar hollow” · $200,000 to $400,000 · 3+ bedrooms', or 'All properties'. */
export function describeCriteria(criteria: DescribedCriteria): string {
  const { text, type, minCents, maxCents, minBeds, minBaths, keywords, onMap, drawn } = criteria;
  const parts = [
    type,
    text && `“${text}”`,
    priceRange(minCents, maxCents),
    minBeds && `${minBeds}+ ${minBeds === 1 ? 'bedroom' : 'bedrooms'}`,
    minBaths && `${minBaths}+ ${minBaths === 1 ? 'bathroom' : 'bathrooms'}`,
    areaRange(criteria.minSqft, criteria.maxSqft, 'sqft'),
    areaRange(criteria.minLotSqft, criteria.maxLotSqft, 'sqft lot'),
    yearRange(criteria.minYear, criteria.maxYear),
    ...(criteria.amenities ?? []).map((key) => amenityLabels[key]),
    keywords && `keywords “${keywords}”`,
    drawn ? 'in your drawn area' : onMap && 'in this part of the map',
  ].filter(Boolean);
  return parts.join(' · ') || 'All properties';
}

/** Describes a query of the property list; `type` is the display name of its property type. */
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
    drawn: Boolean(query.area),
  });
}

type Bound = number | null | undefined;

function areaRange(min: Bound, max: Bound, unit: string): string | null {
  const shown = (area: number) => area.toLocaleString('en-US');
  if (min && max) return `${shown(min)} to ${shown(max)} ${unit}`;
  if (min) return `from ${shown(min)} ${unit}`;
  return max ? `up to ${shown(max)} ${unit}` : null;
}

function yearRange(min: Bound, max: Bound): string | null {
  if (min && max) return `built ${min} to ${max}`;
  if (min) return `built since ${min}`;
  return max ? `built by ${max}` : null;
}

function priceRange(minCents: number | null, maxCents: number | null): string | null {
  if (minCents !== null && maxCents !== null) return `${wholeDollars(minCents)} to ${wholeDollars(maxCents)}`;
  if (minCents !== null) return `from ${wholeDollars(minCents)}`;
  return maxCents === null ? null : `up to ${wholeDollars(maxCents)}`;
}

export const savedSearchMessages = {
  saved: { title: 'Search saved', text: 'You will be notified about new properties that match.' },
  savedAlready: { title: 'Search already saved', text: 'You have saved this search before.' },
  tooMany: 'You can keep 50 saved searches. Delete one to save another.',
  findsNothing: 'This search cannot find anything because it has no letters or digits.',
  seen: { title: 'Marked as seen' },
  changed: { title: 'Saved search changed' },
  deleted: { title: 'Saved search deleted' },
  gone: {
    title: 'Saved search not found',
    text: 'It was deleted in another tab or on another device.',
    tone: 'info',
  },
} as const;
