import { formatCount } from '#platform/format-count.ts';
import { LoadLater } from '#ui/load-later.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { changeInWords } from '../changes.ts';
import type { RegistrationReport } from '../model.ts';
import { beforeInWords, type ReportView } from '../range.ts';
import { reportTables } from '../report-tables.ts';
import { ChartPanel } from './chart-panel.tsx';
import { heights } from './heights.ts';
import { figureIcons } from './report-outline.tsx';

const loadTimePlot = async () => (await import('./time-plot.tsx')).TimePlot;

/** Buyer Registration: how many people registered as buyers. */
export function RegistrationsTab({ report, view }: { report: RegistrationReport; view: ReportView }) {
  const [table] = reportTables.registrations(report);
  const { total, before, trend } = report;
  if (!table) return null;
  return (
    <>
      <StatStrip
        stats={[
          {
            label: 'Buyers',
            icon: figureIcons.registrations.Buyers,
            value: formatCount(total),
            note: changeInWords({ kind: 'count', value: total, before }, beforeInWords(view.query)),
          },
        ]}
      />
      <div className="charts charts-one">
        <ChartPanel
          table={table}
          height={heights.trend}
          tableFirst={view.tables}
          empty="No one registered as a buyer in this period."
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
        />
      </div>
    </>
  );
}
