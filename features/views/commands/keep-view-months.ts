import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { VIEW_RETENTION_DAYS } from '../limits.ts';
import { mayKeepViews } from '../rules.ts';

/** How many coming months have a table. */
const MONTHS_AHEAD = 2;
/** So many rows of old days are deleted in one run; the next ones go on. */
const DAYS_AT_ONCE = 50_000;

/**
 * Makes the tables in which the views of this month and the coming ones are kept, and drops those of months that ended longer
 * ago than views are kept, and with them who viewed on which day. What the reports have counted stays, and so does each property's
 * number of views.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function keepViewMonths(ctx: Ctx): Promise<void> {
  authorize(ctx, mayKeepViews);
  const now = ctx.now();
  const oldest = new Date(now.getTime() - VIEW_RETENTION_DAYS * DAY).toISOString().slice(0, 7);
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    // A change of the table waits for whoever reads it, and everyone who comes later for the change.
    await sql`set local lock_timeout = '3s'`.execute(q);
    await sql`select make_view_month((date_trunc('month', ${now}::timestamptz at time zone 'UTC') + month * interval '1 month')::date)
      from generate_series(0, ${MONTHS_AHEAD}::integer) month`.execute(q);
    const { rows } = await sql<{ part: string }>`
      select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'property_view_events'::regclass
        and c.relname ~ '_\\d{4}_\\d{2}$' and replace(right(c.relname, 7), '_', '-') < ${oldest}
      order by 1`.execute(q);
    for (const { part } of rows) await sql`drop table ${sql.table(part)}`.execute(q);
    await sql`delete from property_view_events_rest where viewed_at < ${`${oldest}-01T00:00:00Z`}`.execute(q);
    await sql`delete from report_viewers where day < ${`${oldest}-01`}`.execute(q);
    await sql`delete from property_view_days where (property_id, day, viewer) in
      (select property_id, day, viewer from property_view_days where day < ${`${oldest}-01`} limit ${DAYS_AT_ONCE})`.execute(
      q,
    );
    for (const { part } of rows) ctx.log.info({ part }, 'views of a month are no longer kept');
  });
}
