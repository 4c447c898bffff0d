import './report-print.css';
import { Download, FileText, Printer, Table2 } from 'lucide-react';
import { adminPaths } from '#routing/admin-paths.ts';
import { Icon } from '#ui/icon.tsx';
import { Menu } from '#ui/menu.tsx';
import { exportedTables } from '../exported-tables.ts';
import { daysInWords, fileParams, type ReportView, tabLabels } from '../range.ts';
import { groupingLabels, zoneText } from '../report-labels.ts';

/** The report that is shown as a document, on paper, or table by table as CSV. */
export function ReportActions({ view }: { view: ReportView }) {
  const file = fileParams(view);
  return (
    <Menu
      end
      entries={[
        { label: 'PDF', icon: FileText, href: adminPaths.reportPdf(file), file: true },
        { label: 'Print', icon: Printer, onSelect: () => window.print() },
        'line',
        ...Object.entries(exportedTables[view.tab]).map(([table, title]) => ({
          label: `CSV: ${title}`,
          icon: Table2,
          href: adminPaths.reportCsv({ ...file, table }),
          file: true,
        })),
      ]}
    >
      <Icon of={Download} />
      Export
    </Menu>
  );
}

/** What the controls of the page say, for paper, which shows none of them. */
export const PrintedView = ({ view: { tab, query } }: { view: ReportView }) => (
  <p className="report-printed">
    {[
      tabLabels[tab],
      daysInWords(query),
      zoneText(query.zone),
      ...(tab === 'searches' ? [] : [groupingLabels[query.grouping]]),
    ].join(' · ')}
  </p>
);
