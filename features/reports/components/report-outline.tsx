import { Banknote, Clock, Divide, Eye, HandCoins, MessageSquare, Star, Timer, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { IconDrawing } from '#ui/icon.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { ReportTab } from '../report-figures.ts';
import { FailedChartPanel } from './chart-panel.tsx';
import { heights } from './heights.ts';

/** The figures above the charts of a report, in their order. */
export const figureIcons = {
  financial: {
    'Total Revenue': Banknote,
    'Total Commissions': HandCoins,
    'Average Transaction': Divide,
    'Pending Payouts': Clock,
  },
  registrations: { Buyers: UserPlus },
  searches: {},
  engagement: { Views: Eye, Watches: Star, Inquiries: MessageSquare, 'Average Response Time': Timer },
} as const satisfies Record<ReportTab, Record<string, IconDrawing>>;

type Box = readonly [title: string, height: number];

/** The panels of a report in rows. */
const panels: Record<ReportTab, readonly (readonly Box[])[]> = {
  financial: [
    [
      ['Revenue Trends', heights.trend],
      ['Commission Distribution', heights.trend],
    ],
  ],
  registrations: [[['Buyer Registration', heights.trend]]],
  searches: [
    [['Popular Price Ranges', heights.bands]],
    [
      ['Top searches', heights.table],
      ['Searches without results', heights.table],
    ],
    [['Demand and supply', heights.table]],
  ],
  engagement: [
    [
      ['Daily Views', heights.trend],
      ['From view to sale', heights.funnel],
    ],
  ],
};

/** The shape of a report without its content, so that nothing moves when that comes. */
function Outline({
  tab,
  value,
  note,
  panel,
}: {
  tab: ReportTab;
  value: string;
  note: string;
  panel: (title: string, height: number) => ReactNode;
}) {
  const stats = Object.entries(figureIcons[tab]).map(([label, icon]) => ({ label, icon, value, note }));
  return (
    <>
      {stats.length > 0 && <StatStrip stats={stats} />}
      {panels[tab].map((row) => (
        <div key={row[0]?.[0]} className={rowClass(tab, row.length)}>
          {row.map(([title, height]) => panel(title, height))}
        </div>
      ))}
    </>
  );
}

const rowClass = (tab: ReportTab, count: number) =>
  count === 1 ? 'charts charts-one' : tab === 'searches' ? 'charts charts-two' : 'charts';

const BLANK = '\u00a0';

/** While a report is read. */
export function ReportSkeleton({ tab }: { tab: ReportTab }) {
  return (
    <div className="report-loading" role="status" aria-label="Loading report...">
      <div aria-hidden="true">
        <Outline
          tab={tab}
          value={BLANK}
          note={BLANK}
          panel={(title, height) => (
            <Panel key={title} title={title} inset>
              <span className="sk" style={{ height }} />
              <div className="plot-foot" />
            </Panel>
          )}
        />
      </div>
    </div>
  );
}

/** A report that could not be read: nothing in it can be taken for a zero. */
export const FailedReport = ({ tab }: { tab: ReportTab }) => (
  <Outline
    tab={tab}
    value="—"
    note="Could not load"
    panel={(title, height) => <FailedChartPanel key={title} title={title} height={height} />}
  />
);
