import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type BoundedCount, COUNT_LIMIT } from '../counts.ts';

/**
 * Counts the rows of `from` ("from properties p where …"), exactly up to `limit`; never reads more than one row
 * beyond it. `countText` formats the result.
 */
export async function boundedCount(
  ctx: Ctx,
  from: RawBuilder<unknown>,
  limit = COUNT_LIMIT,
): Promise<BoundedCount> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 ${from} limit ${limit + 1}) counted`.execute(ctx.db.q());
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, limit), more: count > limit };
}
