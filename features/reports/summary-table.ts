import { DAY } from '#platform/durations.ts';
import type { ReportRange } from './model.ts';
import type { ReportFigure } from './report-figures.ts';
import type { ReportTable } from './report-tables.ts';

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
      [before.from, before.to, ...figures.map(({ before: earlier }) => earlier)],
    ],
  };
}

/** The same number of days just before a range. */
export function rangeBefore({ from, to }: Pick<ReportRange, 'from' | 'to'>): { from: string; to: string } {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return { from: dayOf(first - (last - first) - DAY), to: dayOf(first - DAY) };
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
