import { Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/panel.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { ReportTable } from '../report-tables.ts';
import { HiddenTable, ReportTableView } from './report-table.tsx';

interface ChartPanelProps {
  table: ReportTable;
  /** pixels, the same for chart, table, empty text, failure and skeleton */
  height: number;
  /** the chart; null without data, and where the numbers cannot be drawn */
  plot: ReactNode | null;
  /** the numbers cannot be drawn: the table stands in the place of the chart */
  tableOnly?: boolean;
  /** stands in its place then */
  empty: string;
  /** begins with the table, as pages without scripts do */
  tableFirst: boolean;
  /** where the first cell of a row of the table leads */
  hrefOf?: (row: number) => string;
  /** what the lines are, beside the title */
  legend?: ReactNode;
  /** below the chart */
  children?: ReactNode;
}

/** A chart with the table of its numbers behind it, which takes its place when wanted. */
export function ChartPanel({
  table,
  height,
  plot,
  tableOnly = false,
  empty,
  tableFirst,
  hrefOf,
  legend,
  children,
}: ChartPanelProps) {
  const [asTable, setAsTable] = useState(tableFirst);
  const id = useId();
  const hasData = plot !== null || tableOnly;
  return (
    <Panel title={table.title} inset actions={plot !== null && legend}>
      <div className="plot" style={{ height }}>
        {!hasData ? (
          <p className="chart-none">{empty}</p>
        ) : asTable || tableOnly ? (
          <div className="plot-table">
            <ReportTableView table={table} empty={empty} hrefOf={hrefOf} />
          </div>
        ) : (
          <>
            {plot}
            <HiddenTable table={table} />
          </>
        )}
      </div>
      {children}
      <div className="plot-foot">
        {plot !== null && (
          <Button
            className="needs-js"
            size="sm"
            variant="ghost"
            icon={Table2}
            aria-pressed={asTable}
            aria-describedby={id}
            onClick={() => setAsTable(!asTable)}
          >
            Show as table
          </Button>
        )}
        <span className="vh" id={id}>
          {table.title}
        </span>
        {table.note && hasData && <p className="plot-note">{table.note}</p>}
      </div>
    </Panel>
  );
}

/** In the place of a panel whose report could not be read. */
export function FailedChartPanel({ title, height }: { title: string; height: number }) {
  const retry = useRetry();
  return (
    <Panel title={title} inset>
      <div className="plot plot-failed" style={{ minHeight: height }}>
        <ErrorState title="Could not load" detail="Please try again in a moment." retry={retry} />
      </div>
      <div className="plot-foot" />
    </Panel>
  );
}
