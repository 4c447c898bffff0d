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
