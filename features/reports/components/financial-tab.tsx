import { Link } from 'react-router';
import { dollarsAndCents, wholeDollars } from '#platform/money.ts';
import { LoadLater } from '#ui/load-later.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { changeInWords } from '../changes.ts';
import { salesCountedIn } from '../drill-down.ts';
import type { FinancialReport, ReportRange } from '../model.ts';
import { beforeInWords, type ReportView } from '../range.ts';
import { distributionLabels, distributionOf, reportTables } from '../report-tables.ts';
import { ChartPanel } from './chart-panel.tsx';
import { heights } from './heights.ts';
import { figureIcons } from './report-outline.tsx';

const loadTimePlot = async () => (await import('./time-plot.tsx')).TimePlot;
const loadSharePlot = async () => (await import('./share-plot.tsx')).SharePlot;

const NO_SALES = 'No sales were paid or refunded in this period.';
const sliceOrders = ['-commission', '-price', '-fees'] as const;

/** Financial Analytics: what buyers paid, and whose it is. */
export function FinancialTab({ report, view }: { report: FinancialReport; view: ReportView }) {
  const { query } = view;
  const [revenue, distribution] = reportTables.financial(report);
  const { slices, hasShares } = slicesOf(report, query);
  const dayHref = (at: number) => salesCountedIn({ ...query, ...report.trend[at]?.bucket });
  return (
    <>
      <FinancialFigures report={report} view={view} />
      <div className="charts">
        {revenue && (
          <ChartPanel
            table={revenue}
            height={heights.trend}
            tableFirst={view.tables}
            empty={NO_SALES}
            hrefOf={dayHref}
            plot={
              !report.counted ? null : (
                <LoadLater
                  load={loadTimePlot}
                  props={{
                    label:
                      'Revenue Trends: the left and right arrow keys move between points, Enter opens the transactions of one',
                    unit: 'money' as const,
                    series: ['Revenue'],
                    points: report.trend.map(({ bucket: { key, label, title }, revenueCents }, at) => ({
                      key,
                      label,
                      title,
                      values: [revenueCents],
                      href: dayHref(at),
                    })),
                  }}
                />
              )
            }
          />
        )}
        {distribution && (
          <ChartPanel
            table={distribution}
            height={heights.share}
            tableFirst={view.tables}
            empty={NO_SALES}
            hrefOf={(at) => slices[at]?.href ?? ''}
            tableOnly={report.counted && !hasShares}
            plot={hasShares ? <LoadLater load={loadSharePlot} props={{ slices }} /> : null}
          >
            <ul className="legend">
              {slices.map(({ name, value, percent, href }) => (
                <li key={name}>
                  <i />
                  <Link to={href}>{name}</Link>
                  <b>{wholeDollars(value)}</b>
                  {hasShares && <span>{percent}%</span>}
                </li>
              ))}
            </ul>
          </ChartPanel>
        )}
      </div>
    </>
  );
}

function slicesOf(report: FinancialReport, range: ReportRange) {
  const { parts, shares } = distributionOf(report);
  const slices = distributionLabels.map((name, at) => ({
    name,
    value: parts[at] ?? 0,
    percent: shares?.[at] ?? 0,
    href: salesCountedIn(range, sliceOrders[at]),
  }));
  return { slices, hasShares: shares !== null };
}

function FinancialFigures({ report, view }: { report: FinancialReport; view: ReportView }) {
  const { figures, before, pendingPayoutsCents, pendingBeforeCents, processingPayoutsCents } = report;
  const time = beforeInWords(view.query);
  const icons = figureIcons.financial;
  const compared = (
    label: keyof typeof icons,
    key: 'revenueCents' | 'commissionsCents' | 'averageCents',
  ) => ({
    label,
    icon: icons[label],
    value: dollarsAndCents(figures[key]),
    note: changeInWords(
      {
        kind: 'money',
        value: figures[key],
        before: before[key],
        // An average of nothing is none; there are no sales for nothing.
        noneBefore: key === 'averageCents' ? before[key] === 0 : !report.countedBefore,
      },
      time,
    ),
  });
  const processing = dollarsAndCents(processingPayoutsCents);
  return (
    <StatStrip
      stats={[
        compared('Total Revenue', 'revenueCents'),
        compared('Total Commissions', 'commissionsCents'),
        compared('Average Transaction', 'averageCents'),
        {
          label: 'Pending Payouts',
          icon: icons['Pending Payouts'],
          value: dollarsAndCents(pendingPayoutsCents),
          note: changeInWords(
            {
              kind: 'money',
              value: pendingPayoutsCents,
              before: pendingBeforeCents,
              noneBefore: pendingBeforeCents === 0,
            },
            time,
          ),
          help: `What is owed now for sales of these days. Another ${processing} is in processing: on its way to the sellers.`,
        },
      ]}
    />
  );
}
