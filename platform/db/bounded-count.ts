import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type BoundedCount, COUNT_LIMIT } from '../counts.ts';

/**
 * Counts the rows of `from` ("from properties p where …"), exactly up to `COUNT_LIMIT`; never reads more than one row
 * beyond it. `countText` formats the result.
 */
export async function boundedCount(ctx: Ctx, from: RawBuilder<unknown>): Promise<BoundedCount> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 ${from} limit ${COUNT_LIMIT + 1}) counted`.execute(
    ctx.db.q(),
  );
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, COUNT_LIMIT), more: count > COUNT_LIMIT };
}
