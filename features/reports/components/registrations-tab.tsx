import { LoadLater } from '#ui/load-later.tsx';
import { changeInWords } from '../changes.ts';
import type { RegistrationReport } from '../model.ts';
import { beforeInWords, type ReportView } from '../range.ts';
import { reportTables } from '../report-tables.ts';
import { ChartPanel } from './chart-panel.tsx';
import { heights } from './heights.ts';

const loadTimePlot = async () => (await import('./plots/time-plot.tsx')).TimePlot;

/** Buyer Registration: how many people registered as buyers. */
export function RegistrationsTab({ report, view }: { report: RegistrationReport; view: ReportView }) {
  const [table] = reportTables.registrations(report);
  const { total, before, trend } = report;
  if (!table) return null;
  return (
    <div className="charts charts-one">
      <ChartPanel
        table={table}
        height={heights.registrations}
        tableFirst={view.tables}
        empty="Nobody registered as a buyer in this period."
        plot={
          total === 0 ? null : (
            <LoadLater
              load={loadTimePlot}
              props={{
                label: 'Buyer Registration: the left and right arrow keys move between points',
                unit: 'count' as const,
                series: ['Buyers'],
                points: trend.map(({ bucket: { key, label, title }, buyers }) => ({
                  key,
                  label,
                  title,
                  values: [buyers],
                })),
              }}
            />
          )
        }
      >
        <p className="plot-note">
          <b>{total.toLocaleString('en-US')}</b> {total === 1 ? 'buyer' : 'buyers'} registered.{' '}
          {changeInWords(total, before, beforeInWords(view.query))}.
        </p>
      </ChartPanel>
    </div>
  );
}
