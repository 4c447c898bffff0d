import { hasRole, nobody, type Permission } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';
import type { ListingCard, PropertyStatus } from './model.ts';

/** Files are read from the machine's own disk: only its operator imports. */
export const mayImport = nobody;

/** Sellers write their own listings; a suspended one only reads (B-098). */
export const mayList: Permission = (actor) =>
  actor.kind === 'user' && actor.role === 'agent' && actor.agentId !== null && !actor.suspended;
/** Looking at the own form, drafts and listings. */
export const mayReadOwnListings: Permission = (actor) =>
  actor.kind === 'user' && actor.role === 'agent' && actor.agentId !== null;
/** Putting a listing on the market is the administrators' decision (S0 §4). */
export const mayApprove = hasRole('admin');

/** What a seller may do with a listing in its row (B-110); a purchase that is under way forbids it besides. */
export const mayWithdraw = (status: PropertyStatus): boolean =>
  status === 'Active' || status === 'pending' || status === 'changes_requested' || status === 'rejected';
export const mayRelist = (status: PropertyStatus): boolean => status === 'withdrawn';
/** Only what was never on the market can be deleted. */
export const mayDelete = (listing: { status: PropertyStatus; listedAt: Date | null }): boolean =>
  listing.listedAt === null && (mayWithdraw(listing.status) || mayRelist(listing.status));
/** Sent back by the administrators: the seller may hand it in again (B-139). */
export const mayResubmit = (status: PropertyStatus): boolean =>
  status === 'changes_requested' || status === 'rejected';

export type DeedRefusal = 'status' | 'being_bought';
export type DeedResult = { ok: true } | { ok: false; reason: DeedRefusal };

/** Why a listing's deed was refused, in words for its seller. */
export const deedText: Record<DeedRefusal, string> = {
  status: 'This cannot be done with the property as it stands now. Please look at it again.',
  being_bought: 'Somebody is buying this property at the moment.',
};

/** How much of a listing its seller may edit (B-107): all of it, description and photographs alone, or nothing. */
export function editScope(status: PropertyStatus): 'all' | 'description' | 'nothing' {
  if (status === 'Sold') return 'nothing';
  return status === 'escrow' ? 'description' : 'all';
}

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

/** What a seller can do with a property in 'My Properties' beside editing it (B-110). */
export const listingDeeds = ['withdraw', 'relist', 'delete', 'discard'] as const;
export type ListingDeed = (typeof listingDeeds)[number];

/** A deed by its name in addresses and forms; null for anything else. */
export const listingDeedOf = (name: string | null): ListingDeed | null =>
  listingDeeds.find((deed) => deed === name) ?? null;

/** What a deed's toast says. */
export const deedDone: Record<ListingDeed, string> = {
  withdraw: 'Property withdrawn',
  relist: 'Property relisted',
  delete: 'Property deleted',
  discard: 'Draft deleted',
};
