import type { Ctx } from '#platform/context.ts';
import type { ListingActionResult } from '../rules.ts';
import { moveListing } from './move-listing.ts';

/**
 * Relists one of the seller's own withdrawn listings: a previously approved one becomes Active at once and keeps its
 * changed-since-approval mark; any other waits for approval. Days off the market do not count.
 * @throws Unauthenticated; Forbidden; NotFound for another seller's listing
 */
export async function relistListing(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingActionResult> {
  const moved = await moveListing(ctx, { propertyId, event: 'relist' });
  return moved.ok ? { ok: true } : moved;
}
