import { CircleCheck, Clock, Download, HandCoins, RefreshCw } from 'lucide-react';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { addressOf, tableQueryOf, useLateTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { groupedNumber } from '#features/listings/rules.ts';
import { SellerSalesTable } from '#features/purchases/components/seller-sales-table.tsx';
import { sellerSales, sellerTotals } from '#features/purchases/reads.ts';
import { dollarsAndCents } from '#features/purchases/rules.ts';
import { type SellerTotals, sellerSaleSorts } from '#features/purchases/seller-sales.ts';
import { Icon } from '#ui/icon.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { Route } from './+types/transactions';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const asked = tableQueryOf(url.searchParams, sellerSaleSorts);
  const [sales, totals] = await Promise.all([sellerSales(ctx, asked), sellerTotals(ctx)]);
  return { asked, sales, totals };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Transactions', hidden: true });

/** Every sale from payment to payout, and what it earned (S0 §2 'Seller transactions', B-111, B-112). */
export default function Transactions({ loaderData: { asked, sales, totals } }: Route.ComponentProps) {
  const late = useLateTable(paths.agentTransactions());
  const order = useTableSort(asked, paths.agentTransactions);
  const here = addressOf(asked);
  return (
    <>
      <AreaHead
        title="My Transactions"
        actions={
          <a className="btn btn-outline" href={paths.agentTransactionsFile({ q: here.q })} download>
            <Icon of={Download} />
            Export CSV
          </a>
        }
      />
      <StatStrip stats={cards(totals)} />
      <Panel
        title="Transaction History"
        actions={
          <TableSearch
            label="Search by property"
            action={paths.agentTransactions()}
            q={asked.q}
            sort={here.sort}
          />
        }
      >
        <SellerSalesTable label="Transaction History" rows={late ? undefined : sales.rows} {...order} />
      </Panel>
      <Pagination
        page={sales.page}
        pages={sales.pages}
        href={(page) => paths.agentTransactions({ ...here, page })}
      />
    </>
  );
}

const counted = ({ count }: { count: number }) => `${groupedNumber(count)} ${count === 1 ? 'sale' : 'sales'}`;

/** Everything earned, and its parts; what failed to be paid out belongs to the whole and has no card of its own. */
const cards = ({ total, pending, processing, completed, failed }: SellerTotals) => [
  {
    label: 'Total Commission',
    value: dollarsAndCents(total.cents),
    note: failed.count > 0 ? `${counted(total)}, ${groupedNumber(failed.count)} failed` : counted(total),
    icon: HandCoins,
  },
  { label: 'Pending Payouts', value: dollarsAndCents(pending.cents), note: counted(pending), icon: Clock },
  {
    label: 'Processing',
    value: dollarsAndCents(processing.cents),
    note: counted(processing),
    icon: RefreshCw,
  },
  {
    label: 'Completed',
    value: dollarsAndCents(completed.cents),
    note: counted(completed),
    icon: CircleCheck,
  },
];
