import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayKeepReports } from '../rules.ts';

/**
 * Counts the listings on the market by type and by price band, which is too slow to do for each page.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function countMarket(ctx: Ctx): Promise<void> {
  authorize(ctx, mayKeepReports);
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    await sql`lock table report_market in exclusive mode`.execute(q);
    await q.deleteFrom('report_market').execute();
    await sql`insert into report_market
      select kind, term, count(*), ${ctx.now()} from (
        select 'type' as kind, type_id::text as term from properties where is_public and type_id is not null
        union all select 'price', report_band(price_cents)::text from properties where is_public) listed
      group by kind, term`.execute(q);
  });
}
