import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { mayCountTotals } from '../rules.ts';
import { type TotalName, totals } from '../sql.ts';
import { type SummedName, summed, sumsSql } from '../sums.ts';

/**
 * Counts and sums up all of what a page cannot quickly. What it can is not stored.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function countTotals(ctx: Ctx): Promise<void> {
  authorize(ctx, mayCountTotals);
  for (const name of Object.keys(totals) as TotalName[]) {
    const { more } = await boundedCount(ctx, totals[name]);
    const q = ctx.db.q();
    if (more)
      await sql`insert into totals (name, count, counted_at) select ${name}, count(*), ${ctx.now()} ${totals[name]}
        on conflict (name) do update set count = excluded.count, counted_at = excluded.counted_at`.execute(q);
    else await q.deleteFrom('totals').where('name', '=', name).execute();
  }
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
