import { Banknote, Download, FileText, HandCoins, Scale } from 'lucide-react';
import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { MonthPicker } from '#features/statements/components/month-picker.tsx';
import { STATEMENT_PAGE_SIZE, StatementTable } from '#features/statements/components/statement-table.tsx';
import { type MonthTotals, totalsOf } from '#features/statements/lines.ts';
import { monthName } from '#features/statements/months.ts';
import { statementOverview } from '#features/statements/reads.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { Route } from './+types/statements';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const overview = await readOrNull(ctx, () =>
    statementOverview(ctx, { month: url.searchParams.get('month') }),
  );
  if (!overview) return data({ loaded: null }, { status: 503 });
  const { lines, ...statement } = overview.statement;
  const pages = Math.max(1, Math.ceil(lines.length / STATEMENT_PAGE_SIZE));
  const page = Math.min(parseTableQuery(url.searchParams, []).page, pages);
  const rows = lines.slice((page - 1) * STATEMENT_PAGE_SIZE, page * STATEMENT_PAGE_SIZE);
  return data({
    loaded: { statement, totals: totalsOf(lines), rows, page, pages, months: overview.months },
  });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Statements', hidden: true });

/** What the seller was owed and paid, month by month. */
export default function Statements({ loaderData: { loaded } }: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Statements"
        back={{ href: sellerPaths.transactions(), label: 'My Transactions' }}
        actions={loaded && <Files {...loaded.statement} />}
      />
      {loaded ? <Month {...loaded} /> : <FailedPanel title="Your statement could not be loaded." />}
      <p className="total-note">
        The balance is what we owe you. A negative balance is what you owe; it is deducted from your next
        payouts. Months begin and end by UTC. A closed month no longer changes.
      </p>
    </>
  );
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']['loaded']>;

function Files({ sellerId, month }: Loaded['statement']) {
  const file = (format: 'pdf' | 'csv') => sellerPaths.statementFile({ sellerId, month, format });
  return (
    <>
      <a className="btn btn-outline" href={file('pdf')} download>
        <Icon of={FileText} />
        Statement as PDF
      </a>
      <a className="btn btn-outline" href={file('csv')} download>
        <Icon of={Download} />
        Export CSV
      </a>
    </>
  );
}

function Month({ statement, totals, rows, page, pages, months }: Loaded) {
  const { month } = statement;
  return (
    <>
      <MonthPicker month={month} months={months} />
      <StatStrip
        stats={[
          { label: 'Opening balance', value: dollarsAndCents(statement.openingCents), icon: Scale },
          {
            label: 'Earned',
            value: dollarsAndCents(totals.earnedCents + totals.feesCents + totals.takenBackCents),
            note: earnedNote(totals),
            icon: HandCoins,
          },
          { label: 'Paid out', value: dollarsAndCents(0 - totals.paidOutCents), icon: Banknote },
          {
            label: 'Closing balance',
            value: dollarsAndCents(statement.closingCents),
            note: statement.closed ? 'Final' : 'Still open',
            icon: Scale,
          },
        ]}
      />
      <Panel title={monthName(month)}>
        <StatementTable rows={rows} />
      </Panel>
      <Pagination page={page} pages={pages} href={(to) => sellerPaths.statements({ month, page: to })} />
    </>
  );
}

/** 'after $100.00 fees, $50.00 taken back'. */
function earnedNote({ feesCents, takenBackCents }: MonthTotals): string {
  const less = [
    ...(feesCents < 0 ? [`${dollarsAndCents(-feesCents)} fees`] : []),
    ...(takenBackCents < 0 ? [`${dollarsAndCents(-takenBackCents)} taken back`] : []),
  ];
  return less.length > 0 ? `after ${less.join(', ')}` : 'your share of sales';
}
