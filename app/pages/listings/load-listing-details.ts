import { readOr, readOrNull } from '#app/read-or.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { recordHistory } from '#features/audit/reads.ts';
import { listingRecord } from '#features/listing-review/reads.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * The listing whose details a URL opens (`details`), with a page of its history (`before`); null for none. One that is gone, perhaps
 * deleted while its drawer was open, or that cannot be read leaves the rest of the page as it is.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function loadListingDetails(ctx: Ctx, params: URLSearchParams) {
  const id = params.get('details');
  if (id === null) return { details: null };
  const [record, history] = await Promise.all([
    readOr(ctx, undefined, () => nullWhenGone(listingRecord(ctx, { id }))),
    readOrNull(ctx, () =>
      recordHistory(ctx, { entity: 'property', entityId: id, before: params.get('before') }),
    ),
  ]);
  if (!record) return { details: null, failed: record === undefined };
  return { details: { record, history } };
}

export type ListingDetails = Awaited<ReturnType<typeof loadListingDetails>>['details'];
