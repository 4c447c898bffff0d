import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';

/**
 * Holds several listings until the transaction ends, in the order of their ids. Whoever changes more than one in a transaction takes all
 * of them by this first: two who take the same ones in different orders wait for each other, and PostgreSQL ends one of them.
 */
export async function holdListings(ctx: Ctx, propertyIds: readonly string[]): Promise<void> {
  if (propertyIds.length === 0) return;
  await sql`select from properties where id = any(${[...propertyIds]}::uuid[]) order by id for update`.execute(
    ctx.db.q(),
  );
}

/** Holds all listings of a seller in the same way, so that nothing of theirs is sold, moved or given away meanwhile. */
export async function holdListingsOfSeller(ctx: Ctx, sellerId: string): Promise<void> {
  // Counted, since a seller may have very many and nothing is read of them.
  await sql`select count(*) from (
      select from properties where agent_id = ${sellerId} order by id for no key update) held`.execute(
    ctx.db.q(),
  );
}

/**
 * Keeps the listings that a user has asked about, watches, was told of or wants to tour as they are until the transaction ends, in the
 * order of their ids. Whoever renames or closes an account takes them before it: who changes a listing holds that, and then writes to the
 * conversations about it, which renaming writes to as well, and to its watchers' bells, which refers to their accounts.
 */
export async function holdListingsOfUser(ctx: Ctx, userId: string): Promise<void> {
  await sql`
    select from properties where id in (
      select property_id from property_inquiries where user_id = ${userId}
      union select property_id from property_watches where user_id = ${userId}
      union select property_id from property_notifications where user_id = ${userId}
      union select property_id from tours where buyer_id = ${userId})
    order by id for key share`.execute(ctx.db.q());
}
