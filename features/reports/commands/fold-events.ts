import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { tryLock } from '#platform/db/locks.ts';
import { mayKeepReports } from '../rules.ts';

/** Events folded in one transaction. The embedded database answers nobody else meanwhile, so there it is a fraction of a second. */
const BATCH = { server: 50_000, embedded: 5_000 };

/**
 * Folds the events that wait into the sums of the reports, each exactly once: an event is deleted in the transaction that adds
 * it, whenever it was committed and whatever time it is about. One process at a time; a run that dies loses nothing.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function foldReportEvents(
  ctx: Ctx,
  {
    batch = ctx.db.embedded ? BATCH.embedded : BATCH.server,
    signal,
  }: { batch?: number; signal?: AbortSignal } = {},
): Promise<void> {
  authorize(ctx, mayKeepReports);
  let folded = batch;
  while (folded === batch && !signal?.aborted) folded = await ctx.db.tx(() => foldBatch(ctx, batch));
}

/** @returns how many were folded; 0 while another process folds */
async function foldBatch(ctx: Ctx, batch: number): Promise<number> {
  if (!(await tryLock(ctx, 'reports.fold'))) return 0;
  const { rows } = await sql<{ folded: number }>`
    with gone as (
      delete from report_events where id in (select id from report_events order by id limit ${batch})
      returning *),
    new_viewers as (
      insert into report_viewers
      select distinct (at at time zone 'UTC')::date, viewer from gone where viewer is not null order by 1, 2
      on conflict do nothing returning day),
    added as (
      select metric, at, value from gone where term is null
      union all select 'views_band_' || band, at, value from gone where band is not null),
    quarters as (
      select metric, day, quarter, sum(value) as value from (
        select metric, (at at time zone 'UTC')::date as day,
          1 + floor(extract(epoch from at - date_trunc('day', at, 'UTC')) / 900)::integer as quarter, value
        from added
        union all select 'viewers', day, 1, 1 from new_viewers) counted
      group by 1, 2, 3),
    sums as (
      insert into report_days as known
      select metric, day, array_agg(upto order by quarter) from (
        select metric, day, quarter, coalesce(sum(value) over (partition by metric, day order by quarter), 0)::bigint as upto
        from (select distinct metric, day from quarters) days cross join generate_series(1, 96) quarter
          left join quarters using (metric, day, quarter)) running
      group by 1, 2 order by 1, 2
      on conflict (metric, day) do update set upto = (select array_agg(before + more order by quarter)
        from unnest(known.upto, excluded.upto) with ordinality both_days (before, more, quarter))),
    days as (
      insert into listing_days
      select g.property_id, (g.at at time zone 'UTC')::date, coalesce(sum(g.value) filter (where g.metric = 'views'), 0),
        coalesce(sum(g.value) filter (where g.metric = 'watches'), 0), coalesce(sum(g.value) filter (where g.metric = 'inquiries'), 0)
      from gone g where g.metric in ('views', 'watches', 'inquiries')
      group by 1, 2 order by 1, 2
      on conflict (property_id, day) do update set views = listing_days.views + excluded.views,
        watches = listing_days.watches + excluded.watches, inquiries = listing_days.inquiries + excluded.inquiries),
    terms as (
      insert into report_terms as known
      select metric, span, date_trunc(span, at, 'UTC')::date, term, sum(value), count(*) filter (where results = 0),
        (array_agg(results order by at desc, id desc))[1], max(at)
      from gone, (values ('day'), ('month')) spans (span) where term is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (kind, span, start, term) do update set searches = known.searches + excluded.searches,
        empty = known.empty + excluded.empty, at = greatest(known.at, excluded.at),
        results = case when excluded.at >= known.at then excluded.results else known.results end)
    select count(*) as folded from gone`.execute(ctx.db.q());
  return rows[0]?.folded ?? 0;
}
