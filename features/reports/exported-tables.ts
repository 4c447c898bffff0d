import type { ReportTab } from './report-figures.ts';

/** The tables of each tab that can be had as files, with their titles, in the order of the page. */
export const exportedTables = {
  financial: { summary: 'Summary', revenue: 'Revenue Trends', distribution: 'Commission Distribution' },
  registrations: { summary: 'Summary', registrations: 'Buyer Registration' },
  searches: {
    'price-ranges': 'Popular Price Ranges',
    'top-searches': 'Top searches',
    'without-results': 'Searches without results',
    demand: 'Demand and supply',
  },
  engagement: { summary: 'Summary', views: 'Daily Views', funnel: 'From view to sale' },
} as const satisfies Record<ReportTab, Record<string, string>>;
