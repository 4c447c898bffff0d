import { visibleListing } from '#features/listings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayWatch } from '../rules.ts';

/**
 * Watches or unwatches a property for the signed-in user. Sets the state instead of toggling it, so that a repeated
 * request changes nothing.
 * @throws Unauthenticated; NotFound for a property this user cannot see
 */
export async function setWatch(ctx: Ctx, input: { propertyId: string; watched: boolean }): Promise<void> {
  const user = authorizedUser(ctx, mayWatch);
  await visibleListing(ctx, input.propertyId);
  if (input.watched) {
    await ctx.db
      .q()
      .insertInto('property_watches')
      .values({ user_id: user.id, property_id: input.propertyId, created_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await ctx.db
      .q()
      .deleteFrom('property_watches')
      .where('user_id', '=', user.id)
      .where('property_id', '=', input.propertyId)
      .execute();
  }
}
