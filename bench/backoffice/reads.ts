import { adminList } from '#features/accounts/reads.ts';
import { historyFiltersFrom } from '#features/audit/history-filters.ts';
import { historyList, recordHistory } from '#features/audit/reads.ts';
import { buyerSorts } from '#features/buyers/buyer-list.ts';
import { buyerList } from '#features/buyers/reads.ts';
import { inquirySorts } from '#features/inquiries/overview.ts';
import { inquiryOverview, reportQueue } from '#features/inquiries/reads.ts';
import { allListingsSorts } from '#features/listing-review/all-listings.ts';
import {
  allListings,
  escrowListings,
  listingCounts,
  listingRecord,
  reviewQueue,
  reviewSubject,
} from '#features/listing-review/reads.ts';
import { searchOffice } from '#features/office-search/reads.ts';
import { marketplaceTotals, recentPayouts, waitingWork } from '#features/overview/reads.ts';
import {
  currentRuns,
  failedPayouts,
  manualPayouts,
  notYetPayable,
  pendingPayouts,
} from '#features/payout-runs/reads.ts';
import { nextScheduledPayouts } from '#features/payout-schedule/reads.ts';
import { propertyTypeList } from '#features/property-types/reads.ts';
import { sellerSorts } from '#features/sellers/management.ts';
import { sellerList } from '#features/sellers/reads.ts';
import { taskList } from '#features/tasks/reads.ts';
import type { Ctx } from '#platform/context.ts';

/** What a read is about, besides its context. */
export interface BackofficeScenario {
  propertyId: string;
}

export interface Read {
  name: string;
  /** of a last page, for which more time is promised */
  last?: true;
  /** statements at most, of a page that has several lists */
  most?: number;
  read: (ctx: Ctx, scenario: BackofficeScenario) => Promise<unknown>;
}

interface ListQuery<Sort> {
  page?: number;
  q?: string;
  sort?: { by: Sort; descending: boolean };
}

/** Past the end of every list, which means its last page. */
const LAST_PAGE = 1_000_000;

/** The reads of a list: its first and last page, each sort up and down, and a search. */
function list<Sort extends string>(
  name: string,
  read: (ctx: Ctx, query: ListQuery<Sort>) => Promise<unknown>,
  { sorts = [], q = [] }: { sorts?: readonly Sort[]; q?: readonly string[] } = {},
): Read[] {
  return [
    { name, read: (ctx) => read(ctx, {}) },
    { name: `${name}, last page`, last: true, read: (ctx) => read(ctx, { page: LAST_PAGE }) },
    ...sorts.flatMap((by) =>
      [false, true].map((descending) => ({
        name: `${name} by ${by}, ${descending ? 'descending' : 'ascending'}`,
        read: (ctx: Ctx) => read(ctx, { sort: { by, descending } }),
      })),
    ),
    ...q.map((text) => ({ name: `${name}, search for ${text}`, read: (ctx: Ctx) => read(ctx, { q: text }) })),
  ];
}

/** Every read of the back office that is measured: one line for each page, list and drawer. */
export const reads: readonly Read[] = [
  { name: 'badges of the sidebar', read: (ctx) => waitingWork(ctx) },
  {
    name: 'dashboard',
    most: 27,
    read: (ctx) =>
      Promise.all([
        marketplaceTotals(ctx),
        recentPayouts(ctx),
        allListings(ctx),
        pendingPayouts(ctx, {}),
        failedPayouts(ctx, { page: 1 }),
        manualPayouts(ctx, { page: 1 }),
        notYetPayable(ctx, { page: 1 }),
        currentRuns(ctx),
        nextScheduledPayouts(ctx),
      ]),
  },
  { name: 'properties, counts', read: (ctx) => listingCounts(ctx) },
  ...list('All Properties', allListings, {
    sorts: allListingsSorts,
    q: ['77 maple', 'bench seller 7', 'pending', 'zzz'],
  }),
  { name: 'All Properties, pending ones', read: (ctx) => allListings(ctx, { status: 'pending' }) },
  ...list('Pending Approval', (ctx, { page = 1 }) => reviewQueue(ctx, { page })),
  {
    name: 'a property on the review desk',
    read: (ctx, { propertyId: id }) => reviewSubject(ctx, { id }),
  },
  ...list('In Escrow', (ctx, { page = 1 }) => escrowListings(ctx, { page })),
  { name: 'drawer of a property', read: (ctx, { propertyId: id }) => listingRecord(ctx, { id }) },
  {
    name: 'history in a drawer',
    read: (ctx, { propertyId: entityId }) => recordHistory(ctx, { entity: 'property', entityId }),
  },
  ...['maple', 'bench buyer 77', 'seller 7@'].map((q) => ({
    name: `global search, ${q}`,
    read: (ctx: Ctx) => searchOffice(ctx, { q }),
  })),
  ...list('sellers', (ctx, query) => sellerList(ctx, { ...query, pageSize: 100 }), {
    sorts: sellerSorts,
    q: ['bench', 'seller 7', 'seller 99999', '555', 'zzz'],
  }),
  ...list('buyers', buyerList, { sorts: buyerSorts, q: ['bench', 'buyer 7', 'seller 7', 'zzz'] }),
  ...list('inquiries', inquiryOverview, {
    sorts: inquirySorts,
    q: ['bench', 'maple', 'seller 77', 'buyer99', 'zzz'],
  }),
  { name: 'reported conversations', read: (ctx) => reportQueue(ctx, { state: 'open' }) },
  { name: 'decided reports', read: (ctx) => reportQueue(ctx, { state: 'decided' }) },
  {
    name: 'history',
    read: (ctx) => historyList(ctx, { ...historyFiltersFrom(new URLSearchParams()), before: null }),
  },
  { name: 'administrators', read: (ctx) => adminList(ctx) },
  { name: 'property types', read: (ctx) => propertyTypeList(ctx) },
  { name: 'open tasks', read: (ctx) => taskList(ctx, { state: 'open', page: 1 }) },
  { name: 'closed tasks', read: (ctx) => taskList(ctx, { state: 'closed', page: 1 }) },
];
