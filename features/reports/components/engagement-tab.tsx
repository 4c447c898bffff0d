import { durationWords } from '#features/inquiries/display.ts';
import { formatCount } from '#platform/format-count.ts';
import { LoadLater } from '#ui/load-later.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { changeInWords } from '../changes.ts';
import type { EngagementReport } from '../model.ts';
import { beforeInWords, type ReportView } from '../range.ts';
import { funnelLabels, reportTables } from '../report-tables.ts';
import { ChartPanel } from './chart-panel.tsx';
import { heights } from './heights.ts';
import { figureIcons } from './report-outline.tsx';

const loadTimePlot = async () => (await import('./time-plot.tsx')).TimePlot;

/** User Engagement: what people do with listings, up to the sale. */
export function EngagementTab({ report, view }: { report: EngagementReport; view: ReportView }) {
  const [views, funnel] = reportTables.engagement(report);
  if (!views || !funnel) return null;
  return (
    <>
      <EngagementFigures report={report} view={view} />
      <div className="charts">
        <ChartPanel
          table={views}
          height={heights.trend}
          tableFirst={view.tables}
          empty="No property was viewed in this period."
          legend={
            <ul className="line-legend" aria-hidden="true">
              <li>Views</li>
              <li>Unique viewers</li>
            </ul>
          }
          plot={
            report.figures.views === 0 ? null : (
              <LoadLater
                load={loadTimePlot}
                props={{
                  label: 'Daily Views: the left and right arrow keys move between points',
                  unit: 'count' as const,
                  series: ['Views', 'Unique viewers'],
                  points: report.trend.map(({ bucket: { key, label, title }, views: count, viewers }) => ({
                    key,
                    label,
                    title,
                    values: [count, viewers],
                  })),
                }}
              />
            )
          }
        />
        <ChartPanel
          table={funnel}
          height={heights.funnel}
          tableFirst={view.tables}
          empty="Nothing happened in this period."
          plot={report.funnel.every(({ count }) => count === 0) ? null : <Funnel steps={report.funnel} />}
        />
      </div>
    </>
  );
}

function EngagementFigures({
  report: { figures, before },
  view,
}: {
  report: EngagementReport;
  view: ReportView;
}) {
  const time = beforeInWords(view.query);
  const icons = figureIcons.engagement;
  const counted = (label: keyof typeof icons, key: 'views' | 'watches' | 'inquiries') => ({
    label,
    icon: icons[label],
    value: formatCount(figures[key]),
    note: changeInWords({ kind: 'count', value: figures[key], before: before[key] }, time),
  });
  const { replySeconds } = figures;
  return (
    <StatStrip
      stats={[
        counted('Views', 'views'),
        counted('Watches', 'watches'),
        counted('Inquiries', 'inquiries'),
        {
          label: 'Average Response Time',
          icon: icons['Average Response Time'],
          value: replySeconds === null ? '—' : durationWords(replySeconds),
          note:
            replySeconds === null
              ? 'No seller replied for the first time'
              : changeInWords({ kind: 'seconds', value: replySeconds, before: before.replySeconds }, time),
        },
      ]}
    />
  );
}

/** The steps as bars; screen readers have the table. */
function Funnel({ steps }: { steps: EngagementReport['funnel'] }) {
  const most = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <ol className="funnel" aria-hidden="true">
      {steps.map(({ step, count }) => (
        <li key={step}>
          <span>{funnelLabels[step]}</span>
          <b>{formatCount(count)}</b>
          <i className="funnel-bar" style={{ width: `${(Math.max(0, count) / most) * 100}%` }} />
        </li>
      ))}
    </ol>
  );
}
