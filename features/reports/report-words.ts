import { formatTime } from '#ui/format-time.ts';
import type { Grouping, ReportRange } from './model.ts';
import type { ReportTab } from './report-figures.ts';

export const tabLabels: Record<ReportTab, string> = {
  financial: 'Financial Analytics',
  registrations: 'Buyer Registration',
  searches: 'Search Patterns',
  engagement: 'User Engagement',
};

export const groupingLabels: Record<Grouping, string> = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
};

/** 'Dec 15, 2024 – Jan 13, 2025'; a single day is said once. */
export function rangeText({ from, to }: Pick<ReportRange, 'from' | 'to'>): string {
  const [first, last] = [from, to].map((day) => formatTime(day, 'date', 'UTC'));
  return first === last ? `${first}` : `${first} – ${last}`;
}

/** 'America/New York'. */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ');

/** 'report_financial_revenue_2024-12-15_2025-01-13.csv'. */
export const reportFileName = (
  format: 'csv' | 'pdf',
  tab: ReportTab,
  { from, to }: Pick<ReportRange, 'from' | 'to'>,
  table?: string,
): string => `${['report', tab, ...(table ? [table] : []), from, to].join('_')}.${format}`;
