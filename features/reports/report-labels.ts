import type { Grouping, ReportRange } from './model.ts';
import type { ReportTab } from './report-figures.ts';

export const groupingLabels: Record<Grouping, string> = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
};

/** 'America/New York'. */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ');

/** 'report_financial_revenue_2024-12-15_2025-01-13.csv'. */
export const reportFileName = (
  format: 'csv' | 'pdf',
  tab: ReportTab,
  { from, to }: Pick<ReportRange, 'from' | 'to'>,
  table?: string,
): string => `${['report', tab, ...(table ? [table] : []), from, to].join('_')}.${format}`;

export const weeklyMailMessages = {
  on: { title: 'Weekly summary on', text: 'The first one is emailed next Monday.' },
  off: { title: 'Weekly summary off', text: 'You no longer receive it.' },
  failed: 'Your choice could not be saved. Please try again.',
} as const;
