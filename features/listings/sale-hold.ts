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

/** Those of several listings that a sale holds. Whoever changes them holds them first, so that no sale begins before that is written. */
export async function heldBySale(ctx: Ctx, propertyIds: readonly string[]): Promise<Set<string>> {
  if (propertyIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${[...new Set(propertyIds)]}::uuid[]) as asked(id) where held_by_sale(asked.id)`.execute(
    ctx.db.q(),
  );
  return new Set(rows.map(({ id }) => id));
}
