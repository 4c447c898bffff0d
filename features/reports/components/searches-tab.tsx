import { LoadLater } from '#ui/load-later.tsx';
import { Panel } from '#ui/panel.tsx';
import type { SearchReport } from '../model.ts';
import type { ReportView } from '../range.ts';
import { type ReportTable, reportTables } from '../report-tables.ts';
import { ChartPanel } from './chart-panel.tsx';
import { heights } from './heights.ts';
import { ReportTableView } from './report-table.tsx';

const loadBarPlot = async () => (await import('./bar-plot.tsx')).BarPlot;

/** Search Patterns: at which prices people look, and what they search for. */
export function SearchesTab({ report, view }: { report: SearchReport; view: ReportView }) {
  const [bands, top, without, demand] = reportTables.searches(report);
  if (!bands || !top || !without || !demand) return null;
  const isEmpty = report.bands.every(({ views }) => views === 0);
  return (
    <>
      <div className="charts charts-one">
        <ChartPanel
          table={bands}
          height={heights.bands}
          tableFirst={view.tables}
          empty="No property was viewed in this period."
          plot={
            isEmpty ? null : (
              <LoadLater
                load={loadBarPlot}
                props={{
                  label: 'Popular Price Ranges: the left and right arrow keys move between bars',
                  series: 'Views',
                  points: report.bands.map(({ label, views }) => ({
                    key: label,
                    label: `$${label}`,
                    title: `$${label}`,
                    values: [views],
                  })),
                }}
              />
            )
          }
        />
      </div>
      <div className="charts charts-two">
        <TablePanel table={top} empty="No one searched for words in this period." />
        <TablePanel table={without} empty="Every search found something in this period." />
      </div>
      <div className="charts charts-one">
        <TablePanel table={demand} empty="No one used a filter in this period." />
      </div>
    </>
  );
}

const TablePanel = ({ table, empty }: { table: ReportTable; empty: string }) => (
  <Panel title={table.title} inset>
    <div className="plot-table" style={{ height: heights.table }}>
      <ReportTableView table={table} empty={empty} />
    </div>
    <div className="plot-foot">{table.note && <p className="plot-note">{table.note}</p>}</div>
  </Panel>
);
