import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { countedAs, type Metric, type Sums, type SumsRow, sumsFrom } from './metrics.ts';

const QUARTERS_OF_DAY = 96;

/**
 * Sums of metrics over consecutive periods: those that are folded, and the events that are not yet, in one statement and so
 * from one snapshot. `bounds` are where periods begin, and where the last one ends: multiples of a quarter of an hour, for
 * `viewers` of UTC days. Test money counts where there is no other.
 */
export async function sumsBetween(
  ctx: Ctx,
  { metrics, bounds }: { metrics: readonly Metric[]; bounds: readonly Date[] },
): Promise<Sums> {
  const instants = bounds.map((at) => at.toISOString());
  const days = instants.map((at) => at.slice(0, 10));
  const quarters = bounds.map((at) => (at.getTime() % DAY) / (DAY / QUARTERS_OF_DAY));
  const names = sql`${countedAs(metrics, { testMoney: ctx.config.sandboxPayments })}::text[]`;
  const { rows } = await sql<SumsRow>`
    with
    -- Whole days count for the period that has begun by their end; what a day had before a bound belongs to the period before.
    folded as (
      select metric, width_bucket(day, ${days}::date[]) as period, total as value from report_days
        where metric = any(${names}) and day between ${days[0]} and ${days.at(-1)}
      union all select d.metric, bound.n - 1 + side, d.upto[bound.quarter] * (1 - 2 * side)
        from unnest(${days}::date[], ${quarters}::integer[]) with ordinality bound (day, quarter, n)
          cross join unnest(${names}) wanted join report_days d on d.metric = wanted and d.day = bound.day, generate_series(0, 1) side
        where bound.quarter > 0),
    waiting as materialized (
      select * from report_events where at >= ${instants[0]}::timestamptz and at < ${instants.at(-1)}::timestamptz),
    fresh as (
      select metric, at, value from waiting where term is null
      union all select 'views_band_' || band, at, value from waiting where band is not null
      union all select 'viewers', day, count(*) from (
          select distinct date_trunc('day', at, 'UTC') as day, viewer from waiting w
          where 'viewers' = any(${names}) and viewer is not null and not exists (select from report_viewers known
            where known.day = (w.at at time zone 'UTC')::date and known.viewer = w.viewer)) new_viewers
        group by day)
    select metric, array_agg(period)::bigint[] as periods, array_agg(value) as values from (
      select regexp_replace(metric, '^test_', '') as metric, period, sum(value)::bigint as value from (
      select * from folded
      union all select metric, width_bucket(at, ${instants}::timestamptz[]), value from fresh where metric = any(${names})
      ) sums where period between 1 and ${bounds.length - 1} group by 1, 2) periods group by 1`.execute(
    ctx.db.q(),
  );
  return sumsFrom(rows, bounds.length - 1);
}

/**
 * Whether anything of some metrics was counted between two instants, multiples of a quarter of an hour: also what adds up to
 * nothing, as a payment and its refund do.
 */
export async function anyCounted(
  ctx: Ctx,
  { metrics, between: [from, to] }: { metrics: readonly Metric[]; between: readonly [Date, Date] },
): Promise<boolean> {
  const names = sql`${countedAs(metrics, { testMoney: ctx.config.sandboxPayments })}::text[]`;
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from report_events where metric = any(${names}) and at >= ${from} and at < ${to} and value <> 0)
      or exists (
        -- A quarter of an hour that has something is one up to whose end there is another sum than up to its beginning.
        select from report_days d, generate_series(1, ${QUARTERS_OF_DAY}::integer) quarter
        where d.metric = any(${names}) and d.day between (${from}::timestamptz at time zone 'UTC')::date
            and (${to}::timestamptz at time zone 'UTC')::date
          and d.day + (quarter - 1) * interval '15 minutes' >= ${from}::timestamptz at time zone 'UTC'
          and d.day + (quarter - 1) * interval '15 minutes' < ${to}::timestamptz at time zone 'UTC'
          and d.upto[quarter] <> coalesce(d.upto[quarter - 1], 0)) as any`.execute(ctx.db.q());
  return rows[0]?.any === true;
}
