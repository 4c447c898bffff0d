import { createHmac } from 'node:crypto';
import { listingDetail } from '#features/listings/reads.ts';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { countsAsView } from '../rules.ts';

/**
 * Records a view of a property's page: an event for the statistics and, for a signed-in user, the entry of 'Recently
 * Viewed'. Visitors are identified only by a hash that changes every day.
 */
export async function recordView(
  ctx: Ctx,
  input: { propertyId: string; userAgent: string | null },
): Promise<void> {
  authorize(ctx, anyone);
  const found = await listingDetail(ctx, input.propertyId);
  if (!found.ok || !countsAsView(ctx.actor, found.listing.seller.id, input.userAgent)) return;
  const at = ctx.now();
  const userId = ctx.actor.kind === 'user' ? ctx.actor.id : null;
  const day = at.toISOString().slice(0, 10);
  const viewer =
    userId ??
    createHmac('sha256', ctx.config.secret)
      .update(`${day}|${ctx.ip ?? ''}|${input.userAgent ?? ''}`)
      .digest('base64url')
      .slice(0, 22);
  await ctx.db.tx(async () => {
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
