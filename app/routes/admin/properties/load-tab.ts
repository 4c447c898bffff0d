import { readOrNull } from '#app/read-or.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { allListingsSorts } from '#features/listing-review/all-listings.ts';
import { allListings, escrowListings, reviewQueue, reviewSubject } from '#features/listing-review/reads.ts';
import { STATUS_FILTERS } from '#features/listing-review/rules.ts';
import { ownershipOfListing } from '#features/ownership/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { LAST_OF_PAGE } from './last-of-page.ts';

const tabs = ['all', 'pending', 'escrow'] as const;

/** What the tab of the URL shows; a part that could not be read is null. */
export async function loadTab(ctx: Ctx, params: URLSearchParams) {
  const name = tabs.find((tab) => tab === params.get('tab')) ?? 'all';
  const table = parseTableQuery(params, allListingsSorts);
  if (name === 'escrow')
    return { name, query: table, listings: await readOrNull(ctx, () => escrowListings(ctx, table)) };
  if (name === 'pending') {
    const selectAll = params.get('select') === 'all';
    const queue = await readOrNull(ctx, () => reviewQueue(ctx, { ...table, selectAll }));
    const named = params.get('listing');
    const id = named === LAST_OF_PAGE ? queue?.rows.at(-1)?.id : (named ?? queue?.rows[0]?.id);
    return {
      name,
      query: table,
      queue,
      subject: id === undefined ? null : await readOrNull(ctx, () => subjectOrNull(ctx, id)),
      ownership:
        id === undefined ? null : await readOrNull(ctx, () => ownershipOfListing(ctx, { propertyId: id })),
      tilesUrl: ctx.config.mapTilesUrl ?? null,
    };
  }
  const status = STATUS_FILTERS.find((one) => one === params.get('status')) ?? null;
  const query = { ...table, status, featured: params.get('featured') === '1' };
  return { name, query, listings: await readOrNull(ctx, () => allListings(ctx, query)) };
}

/** A listing that was deleted meanwhile leaves its place empty. */
const subjectOrNull = (ctx: Ctx, id: string) => nullWhenGone(reviewSubject(ctx, { id }));
