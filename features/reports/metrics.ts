import { priceBands } from './bands.ts';

const counted = [
  'revenue',
  'commissions',
  'admin_fees',
  'service_fees',
  'sales',
  'checkouts',
  'views',
  'viewers',
  'watches',
  'inquiries',
  'replies',
  'reply_seconds',
  'buyers',
  'searches',
  'empty_searches',
] as const;

/** What is summed over time: cents, seconds or a number of events; `viewers` are the different ones of each UTC day. */
export type Metric = (typeof counted)[number] | `views_band_${number}`;

/** The views of properties in each price band, the cheapest first. */
export const bandMetrics: readonly Metric[] = priceBands.map(({ number }): Metric => `views_band_${number}`);

export const metrics: readonly Metric[] = [...counted, ...bandMetrics];

/** Sums of metrics over consecutive periods. */
export interface Sums {
  /** of each period, in their order */
  of(metric: Metric): number[];
  total(metric: Metric): number;
}

/** Makes `Sums` of rows; `period` counts from 1. Periods without a row are zero. */
export function sumsFrom(
  rows: readonly { metric: string; period: number; value: number }[],
  periods: number,
): Sums {
  const byMetric = Map.groupBy(rows, ({ metric }) => metric);
  const of = (metric: Metric) => {
    const values = new Array<number>(periods).fill(0);
    for (const { period, value } of byMetric.get(metric) ?? []) values[period - 1] = value;
    return values;
  };
  return { of, total: (metric) => of(metric).reduce((sum, value) => sum + value, 0) };
}
