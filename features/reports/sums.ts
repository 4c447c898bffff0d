import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { type Metric, type Sums, sumsFrom } from './metrics.ts';
import { piecesOf } from './periods.ts';

/**
 * Sums of metrics over consecutive periods: those that are folded, and the events that are not yet, in one statement and so
 * from one snapshot. `bounds` are where periods begin, and where the last one ends: multiples of a quarter of an hour, for
 * `viewers` of UTC days.
 */
export async function sumsBetween(
  ctx: Ctx,
  { metrics, bounds }: { metrics: readonly Metric[]; bounds: readonly Date[] },
): Promise<Sums> {
  const pieces = bounds
    .slice(1)
    .flatMap((end, n) =>
      piecesOf(bounds[n]?.getTime() ?? 0, end.getTime()).map((piece) => ({ period: n + 1, ...piece })),
    );
  const times = (field: 'start' | 'end') => pieces.map((piece) => new Date(piece[field]).toISOString());
  const instants = bounds.map((at) => at.toISOString());
  const names = sql`${[...metrics]}::text[]`;
  const { rows } = await sql<{ metric: string; period: number; value: number }>`
    with folded as (
      select wanted.metric, piece.period, sums.value
      from unnest(${names}) wanted (metric),
        unnest(${pieces.map(({ period }) => period)}::int[], ${pieces.map(({ span }) => span)}::text[],
          ${times('start')}::timestamptz[], ${times('end')}::timestamptz[]) piece (period, span, start, finish),
        lateral (select sum(s.value) as value from report_sums s
          where s.metric = wanted.metric and s.span = piece.span and s.start >= piece.start and s.start < piece.finish) sums
      where sums.value <> 0),
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
    select metric, period, sum(value)::bigint as value from (
      select * from folded
      union all select metric, width_bucket(at, ${instants}::timestamptz[]), value from fresh where metric = any(${names})
      ) sums group by 1, 2`.execute(ctx.db.q());
  return sumsFrom(rows, bounds.length - 1);
}
