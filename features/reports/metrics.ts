import { priceBands } from './bands.ts';

const counted = [
  'revenue',
  'commissions',
  'admin_fees',
  'service_fees',
  'sales',
  'payments',
  'paid',
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

/**
 * What is summed over time: cents, seconds or a number of events; `viewers` are the different ones of each UTC day. `payments` and
 * the prices `paid` by them stay when money goes back, `sales` and the rest of the money do not.
 */
export type Metric = (typeof counted)[number] | `views_band_${number}`;

/** The views of properties in each price band, the cheapest first. */
export const bandMetrics: readonly Metric[] = priceBands.map(({ number }): Metric => `views_band_${number}`);

export const metrics: readonly Metric[] = [...counted, ...bandMetrics];

/** What sales add, which is counted apart for test money. */
const ofSales: readonly Metric[] = [
  'revenue',
  'commissions',
  'admin_fees',
  'service_fees',
  'sales',
  'payments',
  'paid',
  'checkouts',
];

/** The names under which metrics are counted; what was paid with test keys has names of its own. */
export const countedAs = (asked: readonly Metric[], { testMoney }: { testMoney: boolean }): string[] => [
  ...asked,
  ...(testMoney ? asked.filter((metric) => ofSales.includes(metric)).map((metric) => `test_${metric}`) : []),
];

/** Sums of metrics over consecutive periods. */
export interface Sums {
  /** of each period, in their order */
  of(metric: Metric): number[];
  total(metric: Metric): number;
}

/** The sums of a metric: of each period, counted from 1, that has any. As lists, which a driver reads faster than rows. */
export interface SumsRow {
  metric: string;
  periods: number[];
  values: number[];
}

export function sumsFrom(rows: readonly SumsRow[], count: number): Sums {
  const byMetric = new Map(rows.map((row) => [row.metric, row]));
  const of = (metric: Metric) => {
    const sums = new Array<number>(count).fill(0);
    const { periods = [], values = [] } = byMetric.get(metric) ?? {};
    for (const [n, period] of periods.entries()) sums[period - 1] = values[n] ?? 0;
    return sums;
  };
  return { of, total: (metric) => of(metric).reduce((sum, value) => sum + value, 0) };
}
