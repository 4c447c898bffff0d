import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { ownListing } from '../form/listing.ts';
import { moveListing } from '../form/move-listing.ts';
import { type DeedResult, mayList, mayRelist } from '../rules.ts';

/**
 * Brings a withdrawn listing of the seller's own back (B-110): one that was approved before is Active at once, and keeps
 * the mark of what was changed since; any other waits for approval. The days off the market do not count.
 * @throws Unauthenticated; Forbidden; NotFound for one that is not the seller's
 */
export async function relistListing(ctx: Ctx, { propertyId }: { propertyId: string }): Promise<DeedResult> {
  const { agentId } = authorizedUser(ctx, mayList);
  return ctx.db.tx(async () => {
    const listing = await ownListing(ctx, { agentId, propertyId }, true);
    if (!mayRelist(listing.status)) return { ok: false, reason: 'status' };
    await moveListing(ctx, listing, {
      to: listing.listedAt ? 'Active' : 'pending',
      action: 'listing.relist',
    });
    return { ok: true };
  });
}
