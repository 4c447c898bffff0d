import { DAY } from '#platform/durations.ts';
import { formatCount, plural } from '#platform/format-count.ts';
import type { PdfBlock, PdfContent, PdfFact } from '#platform/pdf/content.ts';
import { changeInWords } from './changes.ts';
import type { ReportQuery } from './model.ts';
import { beforeInWords, daysInWords, tabLabels } from './range.ts';
import type { ReportFigure, ReportTab } from './report-figures.ts';
import { groupingLabels, zoneText } from './report-labels.ts';
import { cellText, type ReportTable, shownTable } from './report-tables.ts';
import { rangeBefore } from './zone-days.ts';

/** A longer table would keep the server busy for seconds; its chart is printed all the same. */
export const MOST_PRINTED_ROWS = 400;

/** What a report as a document is made of. */
interface PrintedReport {
  brand: string;
  tab: ReportTab;
  query: ReportQuery;
  figures: readonly ReportFigure[];
  tables: readonly ReportTable[];
}

/** A tab of the reports as a document, with what its page says. The same report is the same document. */
export function reportPdf({ brand, tab, query, figures, tables }: PrintedReport): PdfContent {
  return {
    title: `Reports and Analytics: ${tabLabels[tab]}, ${daysInWords(query)}`,
    issuer: brand,
    createdAt: new Date(Date.parse(query.to) + DAY),
    blocks: [
      { kind: 'heading', level: 1, text: 'Reports and Analytics', note: tabLabels[tab] },
      { kind: 'facts', facts: rangeFacts({ query, figures, tables }) },
      ...(figures.length > 0
        ? [
            { kind: 'heading' as const, level: 2 as const, text: 'Summary' },
            {
              kind: 'facts' as const,
              facts: figures.map((figure) => figureFact(figure, beforeInWords(query))),
            },
          ]
        : []),
      ...tables.flatMap(tableBlocks),
    ],
  };
}

const rangeFacts = ({ query, figures, tables }: Omit<PrintedReport, 'brand' | 'tab'>): PdfFact[] => [
  { label: 'Period', lines: [daysInWords(query)] },
  ...(figures.length > 0 ? [{ label: 'Compared with', lines: [daysInWords(rangeBefore(query))] }] : []),
  { label: 'Time zone', lines: [zoneText(query.zone)] },
  ...(tables.some(({ chart }) => chart?.form === 'line')
    ? [{ label: 'Grouping', lines: [groupingLabels[query.grouping]] }]
    : []),
];

function figureFact({ label, kind, value, before, noneBefore = false }: ReportFigure, time: string): PdfFact {
  const compared =
    value === null || before === undefined ? [] : [changeInWords({ kind, value, before, noneBefore }, time)];
  return { label, lines: [cellText(kind, value), ...compared] };
}

function tableBlocks(table: ReportTable): PdfBlock[] {
  const { title, note } = table;
  return [
    { kind: 'heading', level: 2, text: title },
    ...chartBlocks(table),
    ...(note ? [{ kind: 'paragraph' as const, text: note }] : []),
    rowsBlock(table),
  ];
}

function rowsBlock(table: ReportTable): PdfBlock {
  const { columns, rows } = shownTable(table);
  if (rows.length === 0) return { kind: 'paragraph', text: 'No data available for the selected period.' };
  if (rows.length > MOST_PRINTED_ROWS)
    return {
      kind: 'paragraph',
      tone: 'notice',
      text: `This table has ${formatCount(rows.length)} rows, too many to print. Export it as CSV, or group by week or month.`,
    };
  return {
    kind: 'table',
    columns: columns.map(({ header, kind }) => ({
      header,
      share: kind === 'text' ? 4 : 2,
      right: kind !== 'text',
    })),
    rows,
  };
}

const axisDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** The picture of a table that has one: all its columns of the kind that the first column of numbers has. */
function chartBlocks({ title, chart, columns, rows }: ReportTable): PdfBlock[] {
  const first = columns.find(({ kind }) => kind !== 'text');
  if (!chart || !first || rows.length === 0) return [];
  const drawn = [...columns.entries()].filter(([, { kind }]) => kind === first.kind);
  const names = drawn.map(([, { header }]) => header);
  const many = plural(rows.length, 'value', 'values');
  return [
    {
      kind: 'chart',
      form: chart.form,
      description: `${title}: ${names.join(' and ')}, ${many}. The table below has all of them.`,
      labels: chart.labels,
      series: drawn.map(([at, { header }]) => ({
        name: header,
        values: rows.map((row) => Number(row[at] ?? 0)),
      })),
      tick: (value) =>
        first.kind === 'money' ? axisDollars.format(value / 100) : value.toLocaleString('en-US'),
    },
  ];
}
