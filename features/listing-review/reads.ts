import { sql } from 'kysely';
import type { PropertyStatus } from '#features/listings/model.ts';
import { totalOf } from '#features/totals/sql.ts';
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
import { changesSince, lastApproval } from './changes.ts';
import { ESCROW_PAGE_SIZE, type EscrowListing, escrowRows, fromEscrow } from './escrow.ts';
import { type ListingRecord, loadListingRecord } from './listing-record.ts';
import { candidatesOf, matches } from './listing-search.ts';
import type { ReviewQueue, ReviewSubject } from './model.ts';
import { outcomeOf } from './outcome.ts';
import { photoChangesSince } from './photo-changes.ts';
import { duplicatesOf, fromWaiting, QUEUE_PAGE_SIZE, waitingRows, waitingVersions } from './queue.ts';
import { MOST_APPROVED, mayReviewListings } from './rules.ts';
import { sellerRecord } from './seller-record.ts';
import { waits } from './sql.ts';
import { versionOf } from './version.ts';

export interface AllListingsQuery {
  /** text to find in the address, the seller's name or the status */
  q?: string;
  status?: PropertyStatus | null;
  /** only those that the home page shows */
  featured?: boolean;
  sort?: { by: AllListingsSort; descending: boolean } | null;
  /** from 1; past the end means the last page that can be opened */
  page?: number;
  /** rows on a page; 25 by default */
  size?: number | null;
}

export interface AllListings {
  rows: AnyListing[];
  total: BoundedCount;
  page: number;
  pages: number;
}

/**
 * All listings of the marketplace that match, newest first unless sorted; deleted ones are left out.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function allListings(ctx: Ctx, query: AllListingsQuery = {}): Promise<AllListings> {
  authorize(ctx, mayReviewListings);
  const filter = {
    q: (query.q ?? '').trim().slice(0, 200),
    status: query.status ?? null,
    featured: query.featured ?? false,
  };
  const total = await boundedCount(
    ctx,
    filter.q ? sql`from (${candidatesOf(filter)}) found` : sql`from properties p where ${matches(filter)}`,
  );
  const size = query.size ?? ALL_LISTINGS_PAGE_SIZE;
  const pages = lastPageOf(total, size);
  const page = Math.min(Math.max(1, Math.trunc(query.page ?? 1)), pages);
  const rows = await allListingRows(ctx, {
    filter,
    sort: query.sort ?? null,
    limit: size,
    offset: (page - 1) * size,
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
  /** what waits for an administrator: pending ones, and those changed since their approval */
  waiting: BoundedCount;
  /** of at most five: what visitors see on the home page */
  featured: number;
}

/**
 * How many listings there are of each kind; of more than 10,000 the number is minutes old, of those that wait it is 10,000.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function listingCounts(ctx: Ctx): Promise<ListingCounts> {
  authorize(ctx, mayReviewListings);
  const [total, active, pending, inEscrow, waiting, featured] = await Promise.all([
    totalOf(ctx, 'listings'),
    totalOf(ctx, 'active listings'),
    totalOf(ctx, 'pending listings'),
    totalOf(ctx, 'listings in escrow'),
    boundedCount(ctx, fromWaiting),
    boundedCount(ctx, sql`from properties p where p.featured_slot is not null`),
  ]);
  return { total, active, pending, inEscrow, waiting, featured: featured.count };
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

/**
 * The listings that wait for an administrator, 25 a page unless `size` says otherwise, newest first: new ones, and those on the market that their
 * sellers have changed since the approval.
 * @param selectAll also names all that can be approved at once, whatever page they are on
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function reviewQueue(
  ctx: Ctx,
  { page, size, selectAll = false }: { page: number; size?: number | null; selectAll?: boolean },
): Promise<ReviewQueue> {
  authorize(ctx, mayReviewListings);
  const total = await boundedCount(ctx, fromWaiting);
  const limit = size ?? QUEUE_PAGE_SIZE;
  const pages = lastPageOf(total, limit);
  const current = Math.min(Math.max(1, Math.trunc(page)), pages);
  const rows = await waitingRows(ctx, { limit, offset: (current - 1) * limit });
  const allSelected = selectAll ? await waitingVersions(ctx, { limit: MOST_APPROVED }) : null;
  return { rows, allSelected, total, page: current, pages };
}

/**
 * What an administrator needs to decide about a listing, whether it still waits or not.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound when it is deleted or there is none
 */
export async function reviewSubject(ctx: Ctx, { id }: { id: string }): Promise<ReviewSubject> {
  authorize(ctx, mayReviewListings);
  if (!isUuid(id)) throw new NotFound('Property not found');
  // Before what is shown of it: after a change between the two a decision is refused, so that nobody approves what they have not seen.
  const state = await sql<{
    waits: boolean;
    version: string;
  }>`select ${waits} as waits, ${versionOf('p')} as version
    from properties p where p.id = ${id}`.execute(ctx.db.q());
  const record = await listingRecord(ctx, { id });
  const [duplicates, approval, seller, earlier] = await Promise.all([
    duplicatesOf(ctx, id),
    lastApproval(ctx, id),
    sellerRecord(ctx, record.seller.id),
    ctx.db
      .q()
      .selectFrom('property_changes')
      .select((count) => count.fn.countAll<number>().as('times'))
      .where('property_id', '=', id)
      .where('field', '=', 'status')
      .where('new_value', 'in', ['rejected', 'changes_requested'])
      .executeTakeFirstOrThrow(),
  ]);
  const { waits: waiting = false, version = '' } = state.rows[0] ?? {};
  const approvedAt = approval?.at ?? (record.listedAt ? new Date(record.listedAt) : null);
  const since = record.changedSinceApprovalAt ? approvedAt : null;
  return {
    record,
    version,
    waiting,
    outcome: waiting ? null : await outcomeOf(ctx, id, record.status),
    duplicates,
    changes: since ? await changesSince(ctx, id, since) : [],
    photoChanges: since ? await photoChangesSince(ctx, id, since) : null,
    approved: approvedAt && { at: approvedAt.toISOString(), by: approval?.by ?? null },
    earlierReviews: Number(earlier.times),
    seller,
  };
}

export interface EscrowListings {
  rows: EscrowListing[];
  total: BoundedCount;
  page: number;
  pages: number;
}

/**
 * The properties whose buyers' money is held, 25 a page unless `size` says otherwise, the latest payment first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function escrowListings(
  ctx: Ctx,
  { page, size }: { page: number; size?: number | null },
): Promise<EscrowListings> {
  authorize(ctx, mayReviewListings);
  const total = await boundedCount(ctx, fromEscrow);
  const limit = size ?? ESCROW_PAGE_SIZE;
  const pages = lastPageOf(total, limit);
  const current = Math.min(Math.max(1, Math.trunc(page)), pages);
  const rows = await escrowRows(ctx, { limit, offset: (current - 1) * limit });
  return { rows, total, page: current, pages };
}
