import { Banknote, Download, FileText, HandCoins, Scale } from 'lucide-react';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { MonthPicker } from '#features/statements/components/month-picker.tsx';
import { STATEMENT_PAGE_SIZE, StatementTable } from '#features/statements/components/statement-table.tsx';
import { type MonthTotals, totalsOf } from '#features/statements/lines.ts';
import { monthName } from '#features/statements/months.ts';
import { statementOverview } from '#features/statements/reads.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Icon } from '#ui/icon.tsx';
import { AreaHead, BackLink } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { Route } from './+types/statements';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { statement, months } = await statementOverview(ctx, { month: url.searchParams.get('month') });
  const { lines, ...head } = statement;
  const pages = Math.max(1, Math.ceil(lines.length / STATEMENT_PAGE_SIZE));
  const page = Math.min(parseTableQuery(url.searchParams, []).page, pages);
  return {
    statement: head,
    totals: totalsOf(lines),
    rows: lines.slice((page - 1) * STATEMENT_PAGE_SIZE, page * STATEMENT_PAGE_SIZE),
    page,
    pages,
    months,
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Statements', hidden: true });

/** What the seller was owed and paid, month by month. */
export default function Statements({
  loaderData: { statement, totals, rows, page, pages, months },
}: Route.ComponentProps) {
  const { sellerId, month } = statement;
  const file = (format: 'pdf' | 'csv') => sellerPaths.statementFile({ sellerId, month, format });
  return (
    <>
      <div className="crumbline">
        <BackLink href={sellerPaths.transactions()} label="My Transactions" />
      </div>
      <AreaHead
        title="Statements"
        actions={
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
        }
      />
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
      <p className="total-note">
        The balance is what we owe you. A negative balance is what you owe; it is deducted from your next
        payouts. Months begin and end by UTC. A closed month no longer changes.
      </p>
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
