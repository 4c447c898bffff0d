import type { PropertyStatus } from '#features/listings/model.ts';

/** How many entries of a kind are listed one by one. */
export const MOST_LISTED = 5;

/** The first few of a kind, and how many there are in all. */
export interface Listed<Entry> {
  entries: Entry[];
  total: number;
}

/** A sale that waits for its seller. */
export interface WaitingSale {
  saleId: string;
  address: string;
  /** what the seller has to do */
  step: 'documents' | 'cancellation';
  /** when the closing documents are due; ISO, UTC */
  dueAt: string | null;
  overdue: boolean;
}

/** A listing that the administrators sent back. */
export interface SentBackListing {
  id: string;
  address: string;
  status: PropertyStatus;
  /** what the administrators wrote */
  note: string | null;
}

/** What waits for a seller. Times are ISO, UTC. */
export interface SellerWork {
  /** conversations whose newest message is the buyer's, and since when the oldest one waits */
  replies: { count: number; since: string } | null;
  sales: Listed<WaitingSale>;
  sentBack: Listed<SentBackListing>;
  /** null when payouts are set up */
  payouts: 'not_set' | 'pending' | null;
}
