import type { Ctx } from '#platform/context.ts';
import type { ListingActionResult } from '../rules.ts';
import { moveListing } from './move-listing.ts';

/**
 * Takes one of the seller's own listings off the market or out of the approval queue; refused while it is in escrow
 * or being paid for.
 * @throws Unauthenticated; Forbidden; NotFound for another seller's listing
 */
export async function withdrawListing(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingActionResult> {
  const moved = await moveListing(ctx, { propertyId, event: 'withdraw' });
  return moved.ok ? { ok: true } : moved;
}
