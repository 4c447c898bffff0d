import { durationWords } from '#features/inquiries/display.ts';
import { EXACT_TOTAL } from '#features/search/model.ts';
import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import {
  type Bucket,
  type EngagementReport,
  type FinancialReport,
  MOST_TERMS,
  type RegistrationReport,
  type SearchReport,
} from './model.ts';
import type { NumberKind, Reports, ReportTab } from './report-figures.ts';
import { wholePercents } from './whole-percents.ts';

/** A value of a table; null is an empty cell. */
export type ReportCell = string | number | null;

export interface ReportColumn {
  header: string;
  /** what the cells of the column are */
  kind: 'text' | NumberKind;
  /** what the page says in fewer words, and stands in files alone */
  fileOnly?: true;
  /** its numbers are not counted any further: this one means that many or more */
  upTo?: number;
}

/** A table of a report; the first cell of a row names the row. */
export interface ReportTable {
  /** in addresses and names of files */
  id: string;
  title: string;
  columns: readonly ReportColumn[];
  rows: readonly (readonly ReportCell[])[];
  /** what has to be known to read it */
  note?: string;
  /** how it is drawn, and the short name of each row in the picture */
  chart?: { form: 'line' | 'bars'; labels: readonly string[] };
}

const text = (header: string): ReportColumn => ({ header, kind: 'text' });
const count = (header: string): ReportColumn => ({ header, kind: 'count' });
const money = (header: string): ReportColumn => ({ header, kind: 'money' });

const periodColumns: readonly ReportColumn[] = [
  text('Period'),
  { ...text('From'), fileOnly: true },
  { ...text('To'), fileOnly: true },
];
const period = ({ title, from, to }: Bucket): ReportCell[] => [title, from, to];

/** A table over the time axis of a report: a row for each point. */
const overTime = <Point extends { bucket: Bucket }>(
  id: string,
  title: string,
  points: readonly Point[],
  values: readonly (readonly [column: ReportColumn, value: (point: Point) => number])[],
): ReportTable => ({
  id,
  title,
  columns: [...periodColumns, ...values.map(([column]) => column)],
  rows: points.map((point) => [...period(point.bucket), ...values.map(([, value]) => value(point))]),
  chart: { form: 'line', labels: points.map(({ bucket }) => bucket.label) },
});

/** The names of the three parts of what buyers paid, as the pie has them. */
export const distributionLabels = ['Seller Commissions', 'Admin Fees', 'Service Fees'] as const;

/** The three parts of what buyers paid, in cents, with their shares as whole percents; null where at least as much went back. */
export function distributionOf({ figures }: Pick<FinancialReport, 'figures'>) {
  const parts = [figures.commissionsCents, figures.adminFeesCents, figures.serviceFeesCents];
  const shares = parts.reduce((sum, part) => sum + part) > 0 ? wholePercents(parts) : null;
  return { parts, shares };
}

const NO_SHARES = 'At least as much went back to buyers as they paid in this period, so there are no shares.';

function financialTables(report: FinancialReport): ReportTable[] {
  const { trend } = report;
  const { parts, shares } = distributionOf(report);
  return [
    overTime('revenue', 'Revenue Trends', trend, [
      [money('Revenue'), ({ revenueCents }) => revenueCents],
      [count('Sales'), ({ sales }) => sales],
    ]),
    {
      id: 'distribution',
      title: 'Commission Distribution',
      columns: [text('Part'), money('Amount'), { header: 'Share', kind: 'percent' }],
      rows: distributionLabels.map((label, at) => [label, parts[at] ?? 0, shares?.[at] ?? null]),
      ...(report.counted && !shares && { note: NO_SHARES }),
      chart: { form: 'bars', labels: distributionLabels },
    },
  ];
}

const registrationTables = ({ trend }: RegistrationReport): ReportTable[] => [
  overTime('registrations', 'Buyer Registration', trend, [[count('Buyers'), ({ buyers }) => buyers]]),
];

const SEARCH_DAYS = 'Searches are counted by UTC day.';
const SEARCHES_KEPT = `Of each past day and month the ${MOST_TERMS} most frequent are kept.`;
const RESULTS_END = `Results are counted up to ${formatCount(EXACT_TOTAL)}.`;
const demandKinds = { type: 'Property type', price: 'Price', place: 'Place' } as const;

const searchTables = ({ bands, topSearches, withoutResults, demand }: SearchReport): ReportTable[] => [
  {
    id: 'price-ranges',
    title: 'Popular Price Ranges',
    columns: [text('Price range'), count('Views')],
    rows: bands.map(({ label, views }) => [label, views]),
    chart: { form: 'bars', labels: bands.map(({ label }) => label) },
  },
  {
    id: 'top-searches',
    title: 'Top searches',
    columns: [text('Search'), count('Searches'), { ...count('Results'), upTo: EXACT_TOTAL }],
    note: `${SEARCH_DAYS} ${SEARCHES_KEPT} ${RESULTS_END}`,
    rows: topSearches.map(({ words, searches, results }) => [words, searches, results]),
  },
  {
    id: 'without-results',
    title: 'Searches without results',
    columns: [text('Search'), count('Searches')],
    note: `${SEARCH_DAYS} ${SEARCHES_KEPT}`,
    rows: withoutResults.map(({ words, searches }) => [words, searches]),
  },
  {
    id: 'demand',
    title: 'Demand and supply',
    columns: [text('Asked for'), text('Kind'), count('Searches'), count('Listings now')],
    note: SEARCH_DAYS,
    rows: demand.map(({ kind, label, searches, listings }) => [label, demandKinds[kind], searches, listings]),
  },
];

export const funnelLabels: Record<EngagementReport['funnel'][number]['step'], string> = {
  views: 'Views',
  watches: 'Watches',
  inquiries: 'Inquiries',
  checkouts: 'Checkouts',
  sales: 'Sales',
};

const engagementTables = ({ trend, funnel }: EngagementReport): ReportTable[] => [
  {
    ...overTime('views', 'Daily Views', trend, [
      [count('Views'), ({ views }) => views],
      [count('Unique viewers'), ({ viewers }) => viewers],
    ]),
    note: 'Unique viewers are counted by UTC day: someone who comes on two days counts twice.',
  },
  {
    id: 'funnel',
    title: 'From view to sale',
    columns: [text('Step'), count('Number')],
    note: 'Sales paid in this period, refunded or not.',
    rows: funnel.map(({ step, count: number }) => [funnelLabels[step], number]),
    chart: { form: 'bars', labels: funnel.map(({ step }) => funnelLabels[step]) },
  },
];

/** What each report says as tables: for its files, and for those who do not see its charts. */
export const reportTables: { [Tab in ReportTab]: (report: Reports[Tab]) => ReportTable[] } = {
  financial: financialTables,
  registrations: registrationTables,
  searches: searchTables,
  engagement: engagementTables,
};

/** A value as a person reads it; '–' where there is none. */
export function cellText(kind: ReportColumn['kind'], cell: ReportCell): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  switch (kind) {
    case 'money':
      return dollarsAndCents(cell);
    case 'percent':
      return `${cell}%`;
    case 'seconds':
      return durationWords(cell);
    default:
      return formatCount(cell);
  }
}

/** The same in a column that may not count any further: '1,000+'. */
const columnText = ({ kind, upTo }: ReportColumn, cell: ReportCell): string =>
  upTo !== undefined && typeof cell === 'number' && cell >= upTo
    ? `${cellText(kind, upTo)}+`
    : cellText(kind, cell);

/** The columns and rows that the page and its PDF show, as text. */
export function shownTable({ columns, rows }: ReportTable): { columns: ReportColumn[]; rows: string[][] } {
  const shown = [...columns.entries()].filter(([, { fileOnly }]) => !fileOnly);
  return {
    columns: shown.map(([, column]) => column),
    rows: rows.map((row) => shown.map(([at, column]) => columnText(column, row[at] ?? null))),
  };
}
