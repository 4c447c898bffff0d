import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isBeingBought, ownListing } from '../form/listing.ts';
import { moveListing } from '../form/move-listing.ts';
import { type DeedResult, mayList, mayWithdraw } from '../rules.ts';

/**
 * Takes a seller's own listing off the market, or back from those who were to approve it (B-110); not while it is in
 * escrow or somebody is paying for it.
 * @throws Unauthenticated; Forbidden; NotFound for one that is not the seller's
 */
export async function withdrawListing(ctx: Ctx, { propertyId }: { propertyId: string }): Promise<DeedResult> {
  const { agentId } = authorizedUser(ctx, mayList);
  return ctx.db.tx(async () => {
    // The lock first: whoever begins a purchase holds the property, and the sale is seen once that is written.
    const listing = await ownListing(ctx, { agentId, propertyId }, true);
    if (!mayWithdraw(listing.status)) return { ok: false, reason: 'status' };
    if (await isBeingBought(ctx, propertyId)) return { ok: false, reason: 'being_bought' };
    await moveListing(ctx, listing, { to: 'withdrawn', action: 'listing.withdraw' });
    return { ok: true };
  });
}
