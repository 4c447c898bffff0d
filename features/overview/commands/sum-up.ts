import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { maySumUp } from '../rules.ts';
import { type SummedName, summed, sumsSql } from '../sums.ts';

/**
 * Sums up all of what the dashboard cannot sum up quickly. What it can is not stored.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function sumUp(ctx: Ctx): Promise<void> {
  authorize(ctx, maySumUp);
  for (const name of Object.keys(summed) as SummedName[]) {
    const { more } = await boundedCount(ctx, summed[name].from(ctx));
    const q = ctx.db.q();
    if (more)
      await sql`insert into totals (name, count, sums, counted_at)
        select ${name}, now.count, now.sums, ${ctx.now()} from (${sumsSql(ctx, name)}) now
        on conflict (name) do update
          set count = excluded.count, sums = excluded.sums, counted_at = excluded.counted_at`.execute(q);
    else await q.deleteFrom('totals').where('name', '=', name).execute();
  }
}
