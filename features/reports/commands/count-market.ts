import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayKeepReports } from '../rules.ts';

/**
 * Counts the listings on the market by type, by price band and by state, which is too slow to do for each page.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function countMarket(ctx: Ctx): Promise<void> {
  authorize(ctx, mayKeepReports);
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    await sql`lock table report_market in exclusive mode`.execute(q);
    await q.deleteFrom('report_market').execute();
    await sql`insert into report_market
      select kind, term, count(*), ${ctx.now()}::timestamptz from (
        select 'type' as kind, type_id::text as term from properties where is_public and type_id is not null
        union all select 'price', report_band(price_cents)::text from properties where is_public) listed
      group by kind, term
      union all
      -- By the two letters of a state, however it is written.
      select 'state', code, sum(listings), ${ctx.now()}::timestamptz from (
        select case when length(name) = 2 then name else split_part(place_words('', name), ' ', 1) end as code, listings
        from (select search_text(state) as name, listings
          from (select state, count(*) as listings from properties where is_public group by state) written) states) named
      where length(code) = 2 group by code`.execute(q);
  });
}
