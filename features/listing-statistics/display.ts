import type { Comparison, Counts, Metric } from './model.ts';

/** The name of what is counted, as a label. */
export const metricLabel: Record<Metric, string> = {
  views: 'Views',
  watches: 'Watches',
  inquiries: 'Inquiries',
};

const one: Record<Metric, string> = { views: 'view', watches: 'watch', inquiries: 'inquiry' };

const figures = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A count or a median: '1,204', '2.5'. */
export const figure = (value: number): string => figures.format(value);

/** '84 views', '1 inquiry'. */
export const countText = (metric: Metric, value: number): string =>
  `${figure(value)} ${value === 1 ? one[metric] : metric}`;

/** '84 views, 3 watches and 1 inquiry'. */
export const countsText = (counts: Counts): string =>
  `${countText('views', counts.views)}, ${countText('watches', counts.watches)} and ${countText('inquiries', counts.inquiries)}`;

/** '1 day', '2.5 days'. */
export const daysText = (days: number): string => `${figure(days)} ${days === 1 ? 'day' : 'days'}`;

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** 'Nov 3' of a day 'YYYY-MM-DD'. */
export const dayLabel = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));

/** What a listing is compared with, or why it is not, in a sentence. */
export function comparisonText(comparison: Comparison): string {
  if (comparison === 'off_market') return 'This property is not on the market, so it is not compared.';
  if (comparison === 'too_few')
    return 'There are not enough similar listings to compare with: it takes at least 5 of the same type in the same state with a price within 25%.';
  return `Compared with the median of ${comparison.listings} similar listings in ${comparison.place}: the same type, a price within 25%, and on the market on the same days.`;
}
