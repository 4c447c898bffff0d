import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { mayCountTotals } from '../rules.ts';
import { type TotalName, totals } from '../sql.ts';

/**
 * Counts all of what a page cannot count quickly. What it can is not stored.
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
}
