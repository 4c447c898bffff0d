import { hasRole, nobody, type Permission, sellerOf, signedIn } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';
import { type Cell, parseDecimal } from '#platform/typed-text.ts';
import type { EditableColumns, PropertyStatus } from './model.ts';
import {
  type ListingActionRefusal,
  type ListingEvent,
  type ListingParty,
  partyOf,
  resolveListingEvent,
} from './transitions.ts';

/** Sellers write their own listings; a suspended one has read-only access. */
export const mayList: Permission = (actor) => sellerOf(actor)?.suspended === false;
/** Reading one's own form, drafts and listings. */
export const mayReadOwnListings: Permission = (actor) => sellerOf(actor) !== null;
/** Administrators change every listing. */
export const mayEditListings = hasRole('admin');
/** Sellers import their own listings, administrators everyone's; `importListings` decides for whom. */
export const mayImport: Permission = (actor) => mayList(actor) || mayEditListings(actor);
/** What an import did to a listing is undone by a job only, which has asked who may have it undone. */
export const mayUndoImports = nobody;
/** Whoever changes a listing writes its history. */
export const mayRecordChanges: Permission = (actor) => mayList(actor) || mayEditListings(actor);
/** Only administrators approve listings. */
const mayApprove = hasRole('admin');

const permissions: Record<ListingParty, Permission> = {
  seller: mayList,
  admin: mayApprove,
  // Whoever acts on a sale; the guards ask the sale itself.
  sale: signedIn,
  // Within an import, which has asked for its own permission.
  import: nobody,
};
/** Who may trigger an event of a listing's life cycle. */
export const mayMoveListing = (event: ListingEvent): Permission => permissions[partyOf(event)];

/** Facts of a listing that nobody buys, has changed or has to approve. */
const NOTHING_HAPPENED = {
  awaitsApproval: false,
  changedSinceApproval: false,
  beingBought: false,
  saleInEscrow: false,
  saleClosed: false,
  ownershipMissing: false,
  sellerGone: false,
} as const;

/** Whether the life cycle allows an event; a purchase in progress is checked separately. */
const isPossible = (event: ListingEvent, status: PropertyStatus, wasListed = true): boolean =>
  resolveListingEvent(status, event, { ...NOTHING_HAPPENED, wasListed }).ok;
export const mayWithdraw = (status: PropertyStatus): boolean => isPossible('withdraw', status);
export const mayRelist = (status: PropertyStatus): boolean => isPossible('relist', status);
/** Only a listing that was never on the market can be deleted. */
export const mayDelete = (listing: { status: PropertyStatus; listedAt: Date | null }): boolean =>
  isPossible('delete', listing.status, listing.listedAt !== null);
/** Sent back by the administrators: the seller may resubmit it. */
export const mayResubmit = (status: PropertyStatus): boolean => isPossible('resubmit', status);

type FirstEvent = 'submit' | 'import' | 'import_sold' | 'add' | 'add_pending';

/**
 * Resolves an event that creates a listing.
 * @param ownershipMissing listings need a verified ownership before they go live, which a new one cannot have
 */
const resolveFirst = (event: FirstEvent, ownershipMissing: boolean) =>
  resolveListingEvent(null, event, { ...NOTHING_HAPPENED, wasListed: false, ownershipMissing });

/**
 * The status of a listing that an event creates.
 * @param ownershipMissing listings need a verified ownership before they go live, which a new one cannot have
 */
export function firstListingStatus(event: FirstEvent, ownershipMissing = false): PropertyStatus {
  const first = resolveFirst(event, ownershipMissing);
  if (!first.ok || first.status === null) throw new Error(`No listing begins with ${event}`);
  return first.status;
}

/** Why a listing cannot begin with an event; null when it can. */
export function firstStatusRefusal(
  event: FirstEvent,
  ownershipMissing: boolean,
): ListingActionRefusal | null {
  const first = resolveFirst(event, ownershipMissing);
  return first.ok ? null : first.reason;
}

/** The columns of a listing that say since when it has something that no administrator has approved. */
export const approvalMarks = ['changed_since_approval_at', 'needs_approval_since'] as const;
export type ApprovalMarks = Partial<Record<(typeof approvalMarks)[number], Date>>;

/**
 * What a seller's change leaves for an administrator. What has been on the market is looked at afterwards; what changes while it is withdrawn
 * waits before it comes back, because no one sees it now.
 * @param onlyPrice nothing else has changed
 */
export const marksOfChange = (
  listing: { status: PropertyStatus; listedAt: Date | null },
  { onlyPrice, at }: { onlyPrice: boolean; at: Date },
): ApprovalMarks => ({
  ...(listing.listedAt !== null && { changed_since_approval_at: at }),
  ...(listing.status === 'withdrawn' && !onlyPrice && { needs_approval_since: at }),
});

export type ListingActionResult = { ok: true } | { ok: false; reason: ListingActionRefusal };

/** Messages for refused actions. */
export const actionRefusalMessages: Record<ListingActionRefusal, string> = {
  status: 'This is not possible for the property in its current status. Please reload the page.',
  being_bought: 'Someone is buying this property right now.',
  ownership: 'The ownership of this property is not verified. Listings need that before they go live.',
  seller_gone: 'The seller of this property is archived. Give the property to another seller first.',
};

/** What its seller may edit: everything, description and photographs only, or nothing. */
export function editScope(status: PropertyStatus): 'all' | 'description' | 'nothing' {
  if (status === 'Sold') return 'nothing';
  return status === 'escrow' ? 'description' : 'all';
}

/** What somebody who is paying agreed to: it stays until the sale has ended. */
export const fixedWhileBought = [
  'price_cents',
  'type_id',
  'address',
  'city',
  'state',
  'zip',
  'latitude',
  'longitude',
  'location_precision',
] as const satisfies readonly (keyof EditableColumns)[];
export const BEING_BOUGHT = 'A buyer is paying for this property, so this cannot be changed right now.';

interface Visible {
  status: PropertyStatus;
  isPublic: boolean;
  seller: { id: string };
}

/**
 * The HTTP status of a listing's page for an actor: Active, In Escrow and Sold are public, the rest is visible to its
 * seller and administrators. Others get 410 for a withdrawn listing and 404 for the rest.
 */
export function pageVisibility(actor: Actor, listing: Visible): 200 | 404 | 410 {
  if (actor.kind === 'system') return 200;
  if (actor.kind === 'user' && (actor.role === 'admin' || actor.agentId === listing.seller.id)) return 200;
  if (listing.isPublic || listing.status === 'escrow' || listing.status === 'Sold') return 200;
  return listing.status === 'withdrawn' ? 410 : 404;
}

/** The highest price of a listing. */
export const MAX_PRICE_CENTS = 99_999_999_999;

/** Parses dollars as people write them into integer cents: '1,250,000', '$950000.50'. */
export function parsePriceCents(cell: string): Cell<number> {
  const text = cell.trim();
  if (text === '') return { blank: true };
  const amount = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!amount) return { wrong: 'Price must be a number greater than 0.' };
  const cents = Number(amount[1]?.replaceAll(',', '')) * 100 + Number((amount[2] ?? '').padEnd(2, '0'));
  if (cents === 0) return { wrong: 'Price must be a number greater than 0.' };
  if (cents > MAX_PRICE_CENTS) return { wrong: 'Price must be at most $999,999,999.99.' };
  return { value: cents };
}

/** Parses an area in square feet, to two decimals. */
export function parseArea(cell: string, max: number): Cell<number> {
  const number = parseDecimal(cell, 0, max, 15);
  return 'value' in number ? { value: Math.round(number.value * 100) / 100 } : number;
}

/** Actions in 'My Properties' besides editing. */
const listingActions = ['withdraw', 'relist', 'delete', 'discard'] as const;
export type ListingAction = (typeof listingActions)[number];

/** Parses an action name from a URL or form; null for anything else. */
export const parseListingAction = (name: string | null): ListingAction | null =>
  listingActions.find((action) => action === name) ?? null;

/** Toasts after an action. */
export const actionDoneMessages: Record<ListingAction, string> = {
  withdraw: 'Property withdrawn',
  relist: 'Property relisted',
  delete: 'Property deleted',
  discard: 'Draft deleted',
};
