import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';

/**
 * Whether a sale holds the listing: a checkout is open, a payment under way or arrived, or the sale is completed. Beginning one
 * locks the listing, as editing does.
 */
export async function isHeldBySale(ctx: Ctx, propertyId: string): Promise<boolean> {
  const { held } = await ctx.db
    .q()
    .selectNoFrom(sql<boolean>`held_by_sale(${propertyId})`.as('held'))
    .executeTakeFirstOrThrow();
  return held;
}
