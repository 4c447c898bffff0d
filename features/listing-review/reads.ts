import { sql } from 'kysely';
import type { PropertyStatus } from '#features/listings/model.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type BoundedCount, lastPageOf } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import {
  ALL_LISTINGS_PAGE_SIZE,
  type AllListingsSort,
  type AnyListing,
  allListingRows,
} from './all-listings.ts';
import { type ListingRecord, loadListingRecord } from './listing-record.ts';
import { candidatesOf, matches } from './listing-search.ts';
import { mayReviewListings } from './rules.ts';

export interface AllListingsQuery {
  /** text to find in the address, the seller's name or the status */
  q?: string;
  status?: PropertyStatus | null;
  sort?: { by: AllListingsSort; descending: boolean } | null;
  /** from 1; past the end means the last page that can be opened */
  page?: number;
}

export interface AllListings {
  rows: AnyListing[];
  total: BoundedCount;
  page: number;
  pages: number;
}

/**
 * All listings of the marketplace that match, 25 a page, newest first unless sorted; deleted ones are left out.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function allListings(ctx: Ctx, query: AllListingsQuery = {}): Promise<AllListings> {
  authorize(ctx, mayReviewListings);
  const filter = { q: (query.q ?? '').trim().slice(0, 200), status: query.status ?? null };
  const total = await boundedCount(
    ctx,
    filter.q ? sql`from (${candidatesOf(filter)}) found` : sql`from properties p where ${matches(filter)}`,
  );
  const pages = lastPageOf(total, ALL_LISTINGS_PAGE_SIZE);
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const rows = await allListingRows(ctx, {
    filter,
    sort: query.sort ?? null,
    limit: ALL_LISTINGS_PAGE_SIZE,
    offset: (page - 1) * ALL_LISTINGS_PAGE_SIZE,
    few: filter.q !== '' && !total.more,
  });
  return { rows, total, page, pages };
}

export interface ListingCounts {
  /** all that are not deleted, sold ones too */
  total: BoundedCount;
  active: BoundedCount;
  pending: BoundedCount;
  inEscrow: BoundedCount;
  /** of at most five: what visitors see on the home page */
  featured: number;
}

/**
 * How many listings there are, exact up to 10,000 of each kind.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function listingCounts(ctx: Ctx): Promise<ListingCounts> {
  authorize(ctx, mayReviewListings);
  const of = (status: PropertyStatus | null) =>
    boundedCount(ctx, sql`from properties p where ${matches({ q: '', status })}`);
  const [total, active, pending, inEscrow, featured] = await Promise.all([
    of(null),
    of('Active'),
    of('pending'),
    of('escrow'),
    boundedCount(ctx, sql`from properties p where p.featured_slot is not null`),
  ]);
  return { total, active, pending, inEscrow, featured: featured.count };
}

/**
 * A listing as an administrator sees it in the details drawer.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound when it is deleted or there is none
 */
export async function listingRecord(ctx: Ctx, { id }: { id: string }): Promise<ListingRecord> {
  authorize(ctx, mayReviewListings);
  const record = isUuid(id) ? await loadListingRecord(ctx, id) : null;
  if (!record) throw new NotFound('Property not found');
  return record;
}
