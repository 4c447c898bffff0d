import { type Permission, sellerOf } from '#platform/access.ts';
import { DAY } from '#platform/durations.ts';
import {
  type Comparison,
  type Counts,
  type DayCounts,
  FEWEST_SIMILAR,
  type Metric,
  metrics,
  STATISTICS_DAYS,
} from './model.ts';

/** Sellers see the statistics of their own listings, also suspended ones. */
export const maySeeStatistics: Permission = (actor) => sellerOf(actor) !== null;

/** A record with a value for each of what is counted. */
export const eachMetric = <Value>(of: (metric: Metric) => Value): Record<Metric, Value> => ({
  views: of('views'),
  watches: of('watches'),
  inquiries: of('inquiries'),
});

/** The day of UTC of a moment, 'YYYY-MM-DD'. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The days that statistics cover, oldest first; the last one is today. */
export const coveredDays = (now: Date): string[] =>
  Array.from({ length: STATISTICS_DAYS }, (_, at) =>
    dayOf(new Date(now.getTime() - (STATISTICS_DAYS - 1 - at) * DAY)),
  );

/** The counts of each of the days, in their order; a day that nothing is known of has zeros. */
export function withoutGaps(days: readonly string[], rows: readonly DayCounts[]): DayCounts[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => known.get(day) ?? { day, views: 0, watches: 0, inquiries: 0 });
}

/** The sum of some counts. */
export const total = (rows: readonly Counts[]): Counts =>
  eachMetric((metric) => rows.reduce((sum, row) => sum + row[metric], 0));

/** The median; of an even number of values the mean of the middle two; null of none. Infinite values are allowed. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : Number(a > b)));
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : low === high ? low : (low + high) / 2;
}

/** The medians of some counts; null of none. */
export function mediansOf(rows: readonly Counts[]): Counts | null {
  const [views, watches, inquiries] = metrics.map((metric) => median(rows.map((row) => row[metric])));
  return views == null || watches == null || inquiries == null ? null : { views, watches, inquiries };
}

/** What is usual for the similar listings of one that is on the market: the medians of their counts. */
export function compare(similar: readonly Counts[], place: string): Comparison {
  const counts = mediansOf(similar);
  return !counts || similar.length < FEWEST_SIMILAR ? 'too_few' : { listings: similar.length, place, counts };
}

/**
 * The median of the days to the first inquiry; a listing without one (null) counts as later than all others. Null when the median
 * is one without.
 */
export function medianDays(days: readonly (number | null)[]): number | null {
  const found = median(days.map((one) => one ?? Number.POSITIVE_INFINITY));
  return found === Number.POSITIVE_INFINITY ? null : found;
}
