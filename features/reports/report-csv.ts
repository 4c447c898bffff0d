import type { FileColumn } from '#platform/table-file/columns.ts';
import { csvText } from '#platform/table-file/csv.ts';
import type { ReportCell, ReportColumn, ReportTable } from './report-tables.ts';

type Row = readonly ReportCell[];

/**
 * A table of a report as a CSV file: amounts as dollars with cents, other numbers plain, the unit and where
 * counting ends in the head of the column.
 */
export const reportCsv = ({ columns, rows }: ReportTable): string =>
  csvText(
    columns.map((column, at) => fileColumn(column, at)),
    rows,
  );

const units = { text: '', count: '', money: ' (USD)', percent: ' (%)', seconds: ' (seconds)' } as const;

function fileColumn({ header, kind, upTo }: ReportColumn, at: number): FileColumn<Row> {
  const end = upTo === undefined ? '' : ` (${upTo} is that many or more)`;
  const name = `${header}${units[kind]}${end}`;
  if (kind !== 'money') return { header: name, text: (row) => row[at]?.toString() ?? null };
  return {
    header: name,
    cents: (row) => {
      const cell = row[at];
      return typeof cell === 'number' ? cell : null;
    },
  };
}
