import { CalendarDays, CircleCheck, Clock, Download, FileText, HandCoins, RefreshCw } from 'lucide-react';
import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery, toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { PayoutNote } from '#features/payouts/components/payout-panel.tsx';
import { payoutStandings } from '#features/payouts/reads.ts';
import type { PayoutStanding } from '#features/payouts/standing.ts';
import { ProceedsPanel } from '#features/sales/components/proceeds-panel.tsx';
import { SellerSalesTable } from '#features/sales/components/seller-sales-table.tsx';
import { sellerSales, sellerTotals } from '#features/sales/reads.ts';
import { type SellerTotals, sellerSaleSorts } from '#features/sales/seller-sales.ts';
import { closedSales, payoutNotes } from '#features/sales/seller-totals.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { feedPaths } from '#routing/feed-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { Route } from './+types/transactions';

const NONE: Record<string, PayoutStanding> = {};

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = parseTableQuery(url.searchParams, sellerSaleSorts);
  const [sales, totals] = await Promise.all([
    readOrNull(ctx, () => sellerSales(ctx, query)),
    readOrNull(ctx, () => sellerTotals(ctx)),
  ]);
  const standings = await readOr(ctx, NONE, () =>
    payoutStandings(ctx, sales?.rows.map(({ id }) => id) ?? []),
  );
  return data({ query, sales, totals, standings }, sales && totals ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Transactions', hidden: true });

/** Every sale of the seller from payment to payout, with its commission. */
export default function Transactions({
  loaderData: { query, sales, totals, standings },
}: Route.ComponentProps) {
  const slow = useSlowTable(sellerPaths.transactions());
  const order = useTableSort(query, sellerPaths.transactions);
  const here = toTableQuery(query);
  return (
    <>
      <AreaHead
        title="My Transactions"
        actions={
          <>
            <ButtonLink to={sellerPaths.statements()} variant="outline">
              <Icon of={FileText} />
              Statements
            </ButtonLink>
            <a className="btn btn-outline" href={feedPaths.closingDates()} download>
              <Icon of={CalendarDays} />
              Closing dates
            </a>
            <a className="btn btn-outline" href={sellerPaths.transactionsCsv({ q: here.q })} download>
              <Icon of={Download} />
              Export CSV
            </a>
          </>
        }
      />
      {totals ? (
        <>
          <StatStrip stats={cards(totals)} />
          <ProceedsPanel totals={totals} />
        </>
      ) : (
        <FailedPanel title="Your totals could not be loaded." />
      )}
      <Panel
        title="Transaction History"
        actions={
          <TableSearch
            label="Search by property"
            action={sellerPaths.transactions()}
            q={query.q}
            sort={here.sort}
          />
        }
      >
        <SellerSalesTable
          label="Transaction History"
          rows={slow ? undefined : (sales?.rows ?? null)}
          note={({ id }) => <PayoutNote standing={standings[id]} />}
          {...order}
        />
      </Panel>
      <Pagination
        page={sales?.page ?? 1}
        pages={sales?.pages ?? 1}
        href={(page) => sellerPaths.transactions({ ...here, page })}
      />
    </>
  );
}

/** The total commission and its parts; failed payouts are included in the total and have no card of their own. */
const cards = ({ total, pending, processing, completed, failed }: SellerTotals) => [
  {
    label: 'Total Commission',
    value: dollarsAndCents(total.cents),
    note:
      failed.count > 0 ? `${closedSales(total)}, ${failed.count} with a failed payout` : closedSales(total),
    icon: HandCoins,
  },
  {
    label: 'Pending Payouts',
    value: dollarsAndCents(pending.cents),
    note: payoutNotes.pending(pending),
    icon: Clock,
  },
  {
    label: 'Processing',
    value: dollarsAndCents(processing.cents),
    note: payoutNotes.processing(processing),
    icon: RefreshCw,
  },
  {
    label: 'Completed',
    value: dollarsAndCents(completed.cents),
    note: payoutNotes.completed(completed),
    icon: CircleCheck,
  },
];
