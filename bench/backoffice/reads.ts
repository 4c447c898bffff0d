import { recordHistory } from '#features/audit/reads.ts';
import { allListingsSorts } from '#features/listing-review/all-listings.ts';
import { allListings, listingCounts, listingRecord } from '#features/listing-review/reads.ts';
import { searchOffice } from '#features/office-search/reads.ts';
import { marketplaceTotals, recentPayouts, waitingWork } from '#features/overview/reads.ts';
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
    read: (ctx) => Promise.all([marketplaceTotals(ctx), recentPayouts(ctx), allListings(ctx)]),
  },
  { name: 'properties, counts', read: (ctx) => listingCounts(ctx) },
  ...list('All Properties', allListings, {
    sorts: allListingsSorts,
    q: ['77 maple', 'bench seller 7', 'pending', 'zzz'],
  }),
  { name: 'pending properties', read: (ctx) => allListings(ctx, { status: 'pending' }) },
  { name: 'drawer of a property', read: (ctx, { propertyId: id }) => listingRecord(ctx, { id }) },
  {
    name: 'history in a drawer',
    read: (ctx, { propertyId: entityId }) => recordHistory(ctx, { entity: 'property', entityId }),
  },
  ...['maple', 'bench buyer 77', 'seller 7@'].map((q) => ({
    name: `global search, ${q}`,
    read: (ctx: Ctx) => searchOffice(ctx, { q }),
  })),
  { name: 'open tasks', read: (ctx) => taskList(ctx, { state: 'open', page: 1 }) },
  { name: 'closed tasks', read: (ctx) => taskList(ctx, { state: 'closed', page: 1 }) },
];
