import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';
import type { BoundedCount } from '#platform/counts.ts';
import type { ListingRecord } from './listing-record.ts';

/** What an administrator decides about a listing that waits. */
export const decisions = ['approve', 'request_changes', 'reject'] as const;
export type Decision = (typeof decisions)[number];

/** A listing in the review queue. Base price in integer cents; times ISO, UTC. */
export interface WaitingListing {
  id: string;
  address: string;
  town: string;
  type: string;
  picture: ListingPicture | null;
  priceCents: number;
  sellerName: string;
  status: PropertyStatus;
  /** submitted, or first changed after its approval */
  waitingSince: string;
  /** it was approved before, and changed since */
  changed: boolean;
  /** another listing has the same address or one of its photos */
  duplicate: boolean;
  version: string;
}

/** A listing and what was seen of it when it was selected. */
export interface SelectedListing {
  propertyId: string;
  version: string;
}

export interface ReviewQueue {
  rows: WaitingListing[];
  /** all that can be approved at once, those of other pages too, where they are selected; null otherwise */
  allSelected: SelectedListing[] | null;
  total: BoundedCount;
  page: number;
  pages: number;
}

/** Another listing that may be the same property. */
export interface Duplicate {
  id: string;
  address: string;
  town: string;
  sellerName: string;
  sameSeller: boolean;
  status: PropertyStatus;
  priceCents: number;
  sameAddress: boolean;
  /** how many of the photos are the same file */
  samePhotos: number;
}

/** A fact of a listing when it was approved and now, as text; null where there was or is none. */
export interface ChangedFact {
  field: string;
  approved: string | null;
  now: string | null;
}

/** What was done to a listing's photos since it was approved. */
export interface PhotoChanges {
  /** those that it has now, in their order */
  photos: {
    picture: ListingPicture;
    isNew: boolean;
    /** it is the main one, and was chosen to be first */
    putFirst: boolean;
    /** its caption or its alternative text is another one */
    described: boolean;
  }[];
  /** how many of those that were approved are gone */
  removed: number;
  reordered: boolean;
}

/** How a seller's listings and sales went so far. */
export interface SellerRecord {
  approvedListings: number;
  allListings: number;
  closedSales: number;
  /** the seller's own, in percent; null for the standard one */
  commissionRate: number | null;
  /** how often a listing was sent back */
  sentBack: number;
  /** ISO, UTC */
  since: string;
}

/** What a reviewer needs to decide about a listing. */
export interface ReviewSubject {
  record: ListingRecord;
  /** what the listing contains now; a decision is about this and nothing later */
  version: string;
  /** it still waits for a decision */
  waiting: boolean;
  /** what became of it when it no longer waits */
  outcome: string | null;
  duplicates: Duplicate[];
  changes: ChangedFact[];
  photoChanges: PhotoChanges | null;
  approved: { at: string; by: string | null } | null;
  /** how often it was sent back before */
  earlierReviews: number;
  seller: SellerRecord;
}

/** A listing that was not decided, and why. */
export interface NotDecided {
  propertyId: string;
  address: string;
  why: string;
}

export type DecisionResult =
  | { ok: true; status: PropertyStatus }
  | { ok: false; reason: 'invalid'; errors: Partial<Record<'reason' | 'message', string>> }
  /** it does not wait any longer, was changed in the meantime, is being bought, its ownership has to be verified first, or its seller is archived */
  | {
      ok: false;
      reason: 'not_waiting' | 'changed' | 'being_bought' | 'ownership' | 'seller_gone';
      why: string;
    };
