import { editableListing } from '#features/listings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { formFromListing } from './form-mapping.ts';
import type { PropertyForm } from './property-form.ts';

/** A listing with its values in the notation of the administrators' form. */
export type PropertyRecord = Awaited<ReturnType<typeof editableListing>> & { form: PropertyForm };

/**
 * Loads any listing that is not deleted, for an administrator; with `lock`, held until the transaction ends.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function loadProperty(
  ctx: Ctx,
  propertyId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<PropertyRecord> {
  const listing = await editableListing(ctx, { propertyId, lock });
  return {
    ...listing,
    form: {
      ...formFromListing(listing.row, listing.amenityIds),
      seller: listing.agentId,
      status: listing.status,
      featured: listing.featured ? '1' : '',
    },
  };
}
