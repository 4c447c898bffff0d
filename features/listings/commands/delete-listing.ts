import type { Ctx } from '#platform/context.ts';
import type { ListingActionResult } from '../rules.ts';
import { moveListing } from './move-listing.ts';

/**
 * Deletes one of the seller's own listings that was never on the market.
 * @throws Unauthenticated; Forbidden; NotFound for another seller's listing
 */
export async function deleteListing(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingActionResult> {
  const moved = await moveListing(ctx, { propertyId, event: 'delete' });
  return moved.ok ? { ok: true } : moved;
}
