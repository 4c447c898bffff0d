import { createHmac } from 'node:crypto';
import { findVisibleListing } from '#features/listings/reads.ts';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { hasTokens } from '#platform/rate-limits.ts';
import { viewLimits } from '../limits.ts';
import { countsAsView } from '../rules.ts';

/**
 * Records a view of a property's page: an event for the statistics, unless it is the owner's, an administrator's or a bot's, and
 * for every signed-in user the entry of 'Recently Viewed'. Visitors are told apart by their network alone, as a hash that changes
 * every day: what a browser says about itself would make one visitor many. Views beyond the limit are ignored.
 */
export async function recordView(
  ctx: Ctx,
  input: { propertyId: string; userAgent: string | null },
): Promise<void> {
  authorize(ctx, anyone);
  const listing = await findVisibleListing(ctx, input.propertyId);
  if (!listing) return;
  const counts = countsAsView(ctx.actor, listing.seller.id, input.userAgent);
  const userId = ctx.actor.kind === 'user' ? ctx.actor.id : null;
  if (!counts && userId === null) return;
  if (!(await hasTokens(ctx, viewLimits.record, `ip:${networkOf(ctx.ip)}`))) return;
  const at = ctx.now();
  const day = at.toISOString().slice(0, 10);
  const viewer =
    userId ??
    createHmac('sha256', ctx.config.secret)
      .update(`${day}|${networkOf(ctx.ip)}`)
      .digest('base64url')
      .slice(0, 22);
  await ctx.db.tx(async () => {
    if (counts)
      await ctx.db
        .q()
        .insertInto('property_view_events')
        .values({ property_id: input.propertyId, user_id: userId, viewer, viewed_at: at })
        .execute();
    if (!userId) return;
    await ctx.db
      .q()
      .insertInto('property_views')
      .values({ user_id: userId, property_id: input.propertyId, viewed_at: at })
      .onConflict((conflict) => conflict.columns(['user_id', 'property_id']).doUpdateSet({ viewed_at: at }))
      .execute();
  });
}
