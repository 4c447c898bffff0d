import { readOrNull } from '#app/read-or.ts';
import { recordHistory } from '#features/audit/reads.ts';
import { listingRecord } from '#features/listing-review/reads.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * The listing whose details a URL opens (`details`), with a page of its history (`before`); null for none.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound when there is no such listing
 */
export async function loadListingDetails(ctx: Ctx, params: URLSearchParams) {
  const id = params.get('details');
  if (id === null) return null;
  const [record, history] = await Promise.all([
    listingRecord(ctx, { id }),
    readOrNull(ctx, () =>
      recordHistory(ctx, { entity: 'property', entityId: id, before: params.get('before') }),
    ),
  ]);
  return { record, history };
}

export type ListingDetails = Awaited<ReturnType<typeof loadListingDetails>>;
