import { describe, expect, it } from 'vitest';
import { renderPdf } from '#platform/pdf/render.ts';
import { readPdf } from '#tests/support/files/read-pdf.ts';
import { exportedTables } from './exported-tables.ts';
import type { Bucket, EngagementReport, FinancialReport, SearchReport } from './model.ts';
import { reportTabs } from './range.ts';
import { reportCsv } from './report-csv.ts';
import { type Reports, type ReportTab, reportFigures } from './report-figures.ts';
import { reportFileName } from './report-labels.ts';
import { MOST_PRINTED_ROWS, reportPdf } from './report-pdf.ts';
import { type ReportTable, reportTables, shownTable } from './report-tables.ts';
import { summaryTable } from './summary-table.ts';
import { figureLine, weekBefore } from './weekly-mail.ts';

const query = { from: '2026-10-31', to: '2026-11-01', zone: 'America/New_York', grouping: 'daily' } as const;
const day = (date: string, label: string): Bucket => ({
  key: date,
  label,
  title: `${label}, 2026`,
  from: date,
  to: date,
});
const days = [day('2026-10-31', 'Oct 31'), day('2026-11-01', 'Nov 1')] as const;

const financial: FinancialReport = {
  figures: {
    revenueCents: 1_000_000_05,
    commissionsCents: 800_000_00,
    adminFeesCents: 200_000_05,
    serviceFeesCents: 10_000_00,
    sales: 2,
    averageCents: 500_000_02,
  },
  before: {
    revenueCents: 800_000_00,
    commissionsCents: 640_000_00,
    adminFeesCents: 160_000_00,
    serviceFeesCents: 0,
    sales: 2,
    averageCents: 400_000_00,
  },
  counted: true,
  countedBefore: true,
  pendingPayoutsCents: 80_000_00,
  pendingBeforeCents: 64_000_00,
  processingPayoutsCents: 0,
  trend: [
    { bucket: days[0], revenueCents: 1_100_000_05, sales: 3 },
    { bucket: days[1], revenueCents: -100_000_00, sales: -1 },
  ],
};
const engagement: EngagementReport = {
  trend: days.map((bucket) => ({ bucket, views: 1_200, viewers: 300 })),
  figures: { views: 2_400, watches: 12, inquiries: 3, replySeconds: null },
  before: { views: 2_000, watches: 0, inquiries: 3, replySeconds: 7_300 },
  funnel: [
    { step: 'views', count: 2_400 },
    { step: 'sales', count: 1 },
  ],
};
const searches: SearchReport = {
  bands: [{ fromCents: 0, toCents: 100_000_00, label: '0–100k', views: 7 }],
  topSearches: [
    { words: '=HYPERLINK("x")', searches: 4, results: null },
    { words: 'house', searches: 2, results: 1_000 },
    { words: 'lake', searches: 1, results: 999 },
  ],
  withoutResults: [{ words: '+1 room, "river"', searches: 2 }],
  demand: [{ kind: 'place', label: 'Cedar Hollow, OR', searches: 9, listings: 0 }],
};
const tableOf = (tables: readonly ReportTable[], id: string): ReportTable => {
  const table = tables.find((one) => one.id === id);
  if (!table) throw new Error(`There is no table ${id}`);
  return table;
};
const linesOf = (table: ReportTable) => reportCsv(table).replace('\uFEFF', '').trimEnd().split('\r\n');

describe('a report as CSV', () => {
  it('has exact days, amounts with cents, and the unit in the head', () => {
    expect(linesOf(tableOf(reportTables.financial(financial), 'revenue'))).toEqual([
      'Period,From,To,Revenue (USD),Sales',
      '"Oct 31, 2026",2026-10-31,2026-10-31,1100000.05,3',
      '"Nov 1, 2026",2026-11-01,2026-11-01,-100000.00,-1',
    ]);
    expect(linesOf(tableOf(reportTables.financial(financial), 'distribution'))).toEqual([
      'Part,Amount (USD),Share (%)',
      'Seller Commissions,800000.00,79',
      'Admin Fees,200000.05,20',
      'Service Fees,10000.00,1',
    ]);
  });

  it('has the figures of the range and of the days before it', () => {
    expect(linesOf(summaryTable(reportFigures.engagement(engagement), query))).toEqual([
      'From,To,Views,Watches,Inquiries,Average Response Time (seconds)',
      '2026-10-31,2026-11-01,2400,12,3,',
      '2026-10-29,2026-10-30,2000,0,3,7300',
    ]);
    expect(linesOf(summaryTable(reportFigures.financial(financial), query))[2]).toBe(
      '2026-10-29,2026-10-30,800000.00,640000.00,160000.00,0.00,2,400000.00,64000.00,',
    );
  });

  it('has no cell that a spreadsheet would calculate', () => {
    const tables = reportTables.searches(searches);
    expect(linesOf(tableOf(tables, 'top-searches'))[1]).toBe(`"'=HYPERLINK(""x"")",4,`);
    expect(linesOf(tableOf(tables, 'top-searches'))[0]).toBe(
      'Search,Searches,Results (1000 is that many or more)',
    );
    expect(linesOf(tableOf(tables, 'without-results'))[1]).toBe(`"'+1 room, ""river""",2`);
    expect(linesOf(tableOf(tables, 'demand'))[1]).toBe('"Cedar Hollow, OR",Place,9,0');
  });

  it('is named after the tab, the table and the range', () => {
    expect(reportFileName('csv', 'financial', query, 'revenue')).toBe(
      'report_financial_revenue_2026-10-31_2026-11-01.csv',
    );
    expect(reportFileName('pdf', 'searches', query)).toBe('report_searches_2026-10-31_2026-11-01.pdf');
  });
});

it('the tables that can be exported are those of the page', () => {
  const reports = { financial, engagement, searches, registrations: { total: 1, before: 0, trend: [] } };
  const of = <Tab extends ReportTab>(tab: Tab) => {
    const figures = reportFigures[tab](reports[tab] as Reports[Tab]);
    const tables = reportTables[tab](reports[tab] as Reports[Tab]);
    const all = figures.length > 0 ? [summaryTable(figures, query), ...tables] : tables;
    return all.map(({ id, title }) => [id, title]);
  };
  for (const tab of reportTabs) expect(of(tab)).toEqual(Object.entries(exportedTables[tab]));
});

it('a report is shown without the columns of files, as a person reads numbers', () => {
  const { columns, rows } = shownTable(tableOf(reportTables.financial(financial), 'revenue'));
  expect(columns.map(({ header }) => header)).toEqual(['Period', 'Revenue', 'Sales']);
  expect(rows).toEqual([
    ['Oct 31, 2026', '$1,100,000.05', '3'],
    ['Nov 1, 2026', '-$100,000.00', '-1'],
  ]);
  expect(shownTable(tableOf(reportTables.searches(searches), 'top-searches')).rows).toEqual([
    ['=HYPERLINK("x")', '4', '–'],
    ['house', '2', '1,000+'],
    ['lake', '1', '999'],
  ]);
  expect(tableOf(reportTables.searches(searches), 'top-searches').note).toContain(
    'Results are counted up to 1,000.',
  );
});

it('the parts of what was paid have shares only where less went back', () => {
  const distribution = (figures: Partial<FinancialReport['figures']>, counted = true) =>
    tableOf(
      reportTables.financial({ ...financial, counted, figures: { ...financial.figures, ...figures } }),
      'distribution',
    );
  const nothing = { commissionsCents: 0, adminFeesCents: 0, serviceFeesCents: 0 };
  expect(distribution({})).not.toHaveProperty('note');
  for (const figures of [nothing, { ...nothing, commissionsCents: -5_00, serviceFeesCents: 1_00 }]) {
    const { rows, note } = distribution(figures);
    expect(rows.map(([, , share]) => share)).toEqual([null, null, null]);
    expect(note).toBe(
      'At least as much went back to buyers as they paid in this period, so there are no shares.',
    );
  }
  expect(distribution(nothing, false)).not.toHaveProperty('note');
});

describe('a report as PDF', () => {
  const printed = (tables: readonly ReportTable[] = reportTables.financial(financial)) =>
    reportPdf({
      brand: 'Acre Trading Post',
      tab: 'financial',
      query,
      figures: reportFigures.financial(financial),
      tables,
    });

  it('says range, zone, grouping, figures with their change, and every table', async () => {
    const { pages, structure, info } = await readPdf(await renderPdf(printed()));
    const text = pages.join('\n').replaceAll(/\s+/g, ' ');
    for (const told of [
      'Acre Trading Post Reports and Analytics Financial Analytics',
      'Period Oct 31, 2026 – Nov 1, 2026',
      'Compared with Oct 29, 2026 – Oct 30, 2026',
      'Time zone America/New York',
      'Grouping Daily',
      'Total Revenue $1,000,000.05 +25% against the 2 days before',
      'The same as in the 2 days before',
      'Up from $0.00 in the 2 days before',
      'Pending Payouts $80,000.00 +25% against the 2 days before',
      'Nov 1, 2026 -$100,000.00 -1',
      'Admin Fees $200,000.05 20%',
    ])
      expect(text).toContain(told);
    expect(structure.join('').match(/Figure/g)).toHaveLength(2);
    expect(info).toMatchObject({
      Title: 'Reports and Analytics: Financial Analytics, Oct 31, 2026 – Nov 1, 2026',
      CreationDate: 'D:20261102000000Z',
    });
  });

  it('is the same bytes for the same figures', async () => {
    const first = await renderPdf(printed());
    expect((await renderPdf(printed(reportTables.financial(structuredClone(financial))))).equals(first)).toBe(
      true,
    );
    const other = { ...financial, trend: financial.trend.slice(1) };
    expect((await renderPdf(printed(reportTables.financial(other)))).equals(first)).toBe(false);
  });

  it('leaves out a table that is too long to print, and says when there is none', () => {
    const trend = Array.from({ length: MOST_PRINTED_ROWS + 1 }, () => financial.trend[0]).filter(
      (one) => !!one,
    );
    const blocks = printed(reportTables.financial({ ...financial, trend })).blocks;
    expect(blocks).toContainEqual({
      kind: 'paragraph',
      tone: 'notice',
      text: 'This table has 401 rows, too many to print. Export it as CSV, or group by week or month.',
    });
    const empty = printed(reportTables.searches({ ...searches, demand: [] })).blocks;
    expect(empty).toContainEqual({ kind: 'paragraph', text: 'No data available for the selected period.' });
  });
});

it('the weekly mail is about the seven days before its Monday, each figure beside that of the week before', () => {
  expect(weekBefore('2026-11-02', 'Asia/Kathmandu')).toEqual({
    from: '2026-10-26',
    to: '2026-11-01',
    zone: 'Asia/Kathmandu',
    grouping: 'daily',
  });
  const line = (kind: 'money' | 'count' | 'seconds', value: number | null, before?: number | null) =>
    figureLine({ label: 'Figure', kind, value, ...(before !== undefined && { before }) });
  expect(line('money', 1_250_00, 1_000_00)).toBe('Figure: $1,250.00 · +25% against the week before');
  expect(line('count', 3, 0)).toBe('Figure: 3 · None in the week before');
  expect(line('seconds', 7_300, null)).toBe('Figure: 2 hours · None in the week before');
  expect(line('seconds', null, 60)).toBe('Figure: –');
  expect(line('money', 80_000_00)).toBe('Figure: $80,000.00');
});
