import { ownListing } from '#features/listings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { ListingForm } from './form.ts';
import { formFromListing } from './form-mapping.ts';

/** One of the seller's own listings with its values in the form's notation. */
export type OwnListingRecord = Awaited<ReturnType<typeof ownListing>> & { form: ListingForm };

/**
 * Loads one of the seller's own listings that is not deleted; with `lock`, held until the transaction ends.
 * @throws NotFound for any other listing
 */
export async function loadOwnListing(
  ctx: Ctx,
  propertyId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<OwnListingRecord> {
  const listing = await ownListing(ctx, { propertyId, lock });
  return { ...listing, form: formFromListing(listing.row, listing.amenityIds) };
}
