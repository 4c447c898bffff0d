import type { ReportRange } from './model.ts';
import type { ReportFigure } from './report-figures.ts';
import type { ReportTable } from './report-tables.ts';
import { rangeBefore } from './zone-days.ts';

/** The single numbers of a report as a table: the range, and the same number of days before it. */
export function summaryTable(figures: readonly ReportFigure[], range: ReportRange): ReportTable {
  const before = rangeBefore(range);
  return {
    id: 'summary',
    title: 'Summary',
    columns: [
      { header: 'From', kind: 'text' },
      { header: 'To', kind: 'text' },
      ...figures.map(({ label, kind }) => ({ header: label, kind })),
    ],
    rows: [
      [range.from, range.to, ...figures.map(({ value }) => value)],
      [before.from, before.to, ...figures.map(({ before: earlier }) => earlier ?? null)],
    ],
  };
}
