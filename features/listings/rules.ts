import { nobody } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';
import type { ListingCard, PropertyStatus } from './model.ts';

/** Files are read from the machine's own disk: only its operator imports. */
export const mayImport = nobody;

/** How a status is shown; the one copy of the mapping (B-143). */
export const statusLabel: Record<PropertyStatus, string> = {
  pending: 'Pending',
  Active: 'Active',
  escrow: 'In Escrow',
  Sold: 'Sold',
  rejected: 'Rejected',
  changes_requested: 'Changes requested',
  withdrawn: 'Withdrawn',
};

/** Badge tone of a status (the table of badge colours). */
export const statusTone = (status: PropertyStatus): 'ok' | 'warn' | 'mute' =>
  status === 'Active' ? 'ok' : status === 'pending' ? 'warn' : 'mute';

interface Visible {
  status: PropertyStatus;
  isPublic: boolean;
  seller: { id: string };
}

/**
 * Whether a person may see a listing's page, and with which HTTP status if not (B-007): Active, In Escrow and Sold
 * are public, the rest is for its seller and administrators. A withdrawn one is gone, others never were.
 */
export function pageVisibility(actor: Actor, listing: Visible): 200 | 404 | 410 {
  if (actor.kind === 'system') return 200;
  if (actor.kind === 'user' && (actor.role === 'admin' || actor.agentId === listing.seller.id)) return 200;
  if (listing.isPublic || listing.status === 'escrow' || listing.status === 'Sold') return 200;
  return listing.status === 'withdrawn' ? 410 : 404;
}

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Whole dollars, for cards and the detail page (S0 §9); integer cents in. */
export const wholeDollars = (cents: number): string => dollars.format(cents / 100);
export const groupedNumber = (value: number): string => grouped.format(value);

/** 'Fernridge, WA 98045' from what is known of it. */
export function townLine(place: { city: string; state: string; zip: string }): string {
  const region = [place.state, place.zip].filter(Boolean).join(' ');
  return [place.city, region].filter(Boolean).join(', ');
}

/** Bathrooms with half baths: 2 and one half is 2.5 (B-036). */
export const bathCount = (listing: Pick<ListingCard, 'bathrooms' | 'halfBaths'>): number =>
  (listing.bathrooms ?? 0) + listing.halfBaths / 2;

/** The facts of a card; bedrooms and bathrooms that are zero or missing are left out. */
export function cardFacts(
  listing: Pick<ListingCard, 'bedrooms' | 'bathrooms' | 'halfBaths' | 'squareFeet'>,
): string[] {
  const baths = bathCount(listing);
  return [
    listing.bedrooms ? `${listing.bedrooms} bd` : '',
    baths ? `${baths} ba` : '',
    listing.squareFeet ? `${groupedNumber(listing.squareFeet)} sqft` : '',
  ].filter(Boolean);
}

/** The default text for a picture without one: the address for the first, its number for the others (B-040). */
export const pictureAlt = (address: string, index: number, count: number): string =>
  index === 0 ? address : `Photo ${index + 1} of ${count}, ${address}`;
