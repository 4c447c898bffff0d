import { data, useNavigate, useSearchParams } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { loadPayoutManagement } from '#app/pages/payouts/load-payout-management.ts';
import { PayoutManagement } from '#app/pages/payouts/payout-management.tsx';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSlowTable } from '#app/table-query.ts';
import { ACTION_NOT_SENT } from '#features/sales/rules.ts';
import { TransactionsTable } from '#features/transactions/components/transactions-table.tsx';
import { isNarrowed, listParams, transactionQueryFrom } from '#features/transactions/filters.ts';
import { preparedFiles, transactionList } from '#features/transactions/reads.ts';
import { transactionMessages as words } from '#features/transactions/rules.ts';
import { referenceOf } from '#platform/http/reference.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/transactions';
import { handleSaleForm } from './transactions/actions.ts';
import { SaleDrawer } from './transactions/drawer.tsx';
import { ExportMenu, PreparedFiles, PrepareFileDialog } from './transactions/export.tsx';
import { TransactionFilterForm } from './transactions/filters.tsx';
import { loadDrawer } from './transactions/load-drawer.ts';
import { drawerHref } from './transactions/query.ts';
import { sortOf } from './transactions/sort.ts';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  if (url.searchParams.get('tab') === 'payouts') {
    const management = await loadPayoutManagement(ctx, url.searchParams);
    return data({ tab: 'payouts' as const, management }, management.complete ? undefined : { status: 503 });
  }
  const query = transactionQueryFrom(url.searchParams);
  const [list, drawer, files] = await Promise.all([
    readOrNull(ctx, () => transactionList(ctx, query)),
    loadDrawer(ctx, url.searchParams),
    // The list does not depend on them.
    readOr(ctx, [], () => preparedFiles(ctx)),
  ]);
  return data(
    {
      tab: 'transactions' as const,
      query,
      list,
      drawer,
      files,
      reference: list ? null : referenceOf(ctx.requestId),
    },
    list ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handleSaleForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('note', 'base', 'fees', 'id', 'typedTotal', 'approver', 'reason', 'reference'),
    toast: ACTION_NOT_SENT,
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Transactions & Payouts', hidden: true });

/** All sales, and the payouts to their sellers. */
export default function Transactions({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const answer = useAnswer(actionData);
  return (
    <>
      {loaderData.tab === 'transactions' && (
        <SaleDrawer
          drawer={loaderData.drawer}
          answer={answer}
          href={(sale, change = {}) => drawerHref(search, sale, change)}
        />
      )}
      {loaderData.tab === 'transactions' && <FlashToast toast={actionData?.toast} />}
      <AreaHead title="Transactions & Payouts" />
      <Tabs
        label="Transactions and payouts"
        current={loaderData.tab}
        tabs={[
          { id: 'transactions', label: 'Transactions', href: adminPaths.transactions() },
          { id: 'payouts', label: 'Payouts', href: adminPaths.transactions({ tab: 'payouts' }) },
        ]}
      >
        {loaderData.tab === 'payouts' ? (
          <PayoutManagement
            title="Pending Payouts"
            text="Manage commission payouts for completed sales"
            data={loaderData.management}
            hrefWith={(changes) => adminPaths.transactions({ ...Object.fromEntries(search), ...changes })}
            answer={actionData}
          />
        ) : (
          <TransactionsTab shown={loaderData} answer={answer} />
        )}
      </Tabs>
    </>
  );
}

type Shown = Extract<Route.ComponentProps['loaderData'], { tab: 'transactions' }>;

function TransactionsTab({
  shown: { query, list, drawer, files, reference },
  answer,
}: {
  shown: Shown;
  answer: ActionData | undefined;
}) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const slow = useSlowTable(adminPaths.transactions());
  const params = listParams(query);
  return (
    <>
      <PrepareFileDialog dialog={search.get('do')} query={query} answer={answer} />
      <PreparedFiles files={files} />
      <section className="panel mt-0!" aria-label="Transactions">
        <TransactionFilterForm query={query} list={list}>
          <ExportMenu query={query} total={list?.total ?? null} />
        </TransactionFilterForm>
        <TransactionsTable
          rows={slow ? undefined : (list?.rows ?? null)}
          failure={`The list could not be read. Please try again. (reference ${reference})`}
          empty={
            isNarrowed(query) ? words.noMatch : <EmptyState bare title={words.empty} text={words.emptyText} />
          }
          {...sortOf(
            query,
            (sort) =>
              void navigate(adminPaths.transactions({ ...params, sort }), { preventScrollReset: true }),
          )}
          saleHref={(sale) => drawerHref(search, sale, {})}
          open={drawer?.id ?? null}
        />
      </section>
      <Pagination
        page={list?.page ?? 1}
        pages={list?.pages ?? 1}
        href={(page) => adminPaths.transactions({ ...params, page })}
        rows={list?.total.count}
      />
    </>
  );
}
