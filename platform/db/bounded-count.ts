import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type BoundedCount, COUNT_LIMIT } from '../counts.ts';

/**
 * Counts the rows of `from` ("from properties p where …"), exactly up to `limit`; never reads more than one row
 * beyond it. `countText` formats the result.
 */
export const boundedCount = (
  ctx: Ctx,
  from: RawBuilder<unknown>,
  limit = COUNT_LIMIT,
): Promise<BoundedCount> =>
  readCount(
    ctx,
    limit,
    sql`select count(*)::integer as count from (select 1 ${from} limit ${limit + 1}) counted`,
  );

/**
 * Like `boundedCount`, for what has certain words. Told of the limit, the planner would read row after row until enough of them match,
 * which takes long where it takes them for more frequent than they are; so it plans to find all of them.
 */
export const boundedMatchCount = (
  ctx: Ctx,
  from: RawBuilder<unknown>,
  limit = COUNT_LIMIT,
): Promise<BoundedCount> =>
  readCount(
    ctx,
    limit,
    sql`with found as materialized (select 1 ${from})
      select count(*)::integer as count from (select 1 from found limit ${limit + 1}) counted`,
  );

async function readCount(ctx: Ctx, limit: number, query: RawBuilder<unknown>): Promise<BoundedCount> {
  const { rows } = await sql<{ count: number }>`${query}`.execute(ctx.db.q());
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, limit), more: count > limit };
}
