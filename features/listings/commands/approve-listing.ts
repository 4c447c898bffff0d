import type { Ctx } from '#platform/context.ts';
import type { ListingActionResult } from '../rules.ts';
import { moveListing } from './move-listing.ts';

/**
 * Publishes a listing that is waiting for approval, or confirms the changes made to an Active one since its last
 * approval. Days on market are counted from the first approval.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function approveListing(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingActionResult> {
  const moved = await moveListing(ctx, { propertyId, event: 'approve', reason: 'approved' });
  return moved.ok ? { ok: true } : moved;
}
