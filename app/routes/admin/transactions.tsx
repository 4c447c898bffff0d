import { data, useNavigate, useSearchParams } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { loadPayoutManagement } from '#app/pages/payouts/load-payout-management.ts';
import { PayoutManagement } from '#app/pages/payouts/payout-management.tsx';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSlowTable } from '#app/table-query.ts';
import { RecordHistory } from '#features/audit/components/record-history.tsx';
import { recordHistory } from '#features/audit/reads.ts';
import { evidencePreview } from '#features/disputes/reads.ts';
import { ActDialogs } from '#features/transactions/components/act-dialogs.tsx';
import { saleDrawer } from '#features/transactions/components/sale-drawer.tsx';
import { TransactionsTable } from '#features/transactions/components/transactions-table.tsx';
import { isNarrowed, listParams, transactionQueryFrom } from '#features/transactions/filters.ts';
import { saleDetails, transactionList } from '#features/transactions/reads.ts';
import { transactionMessages as words } from '#features/transactions/rules.ts';
import { referenceOf } from '#platform/http/reference.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Drawer } from '#ui/drawer.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/transactions';
import { handleTransactionsForm } from './transactions/actions.ts';
import { TransactionFilterForm } from './transactions/filters.tsx';
import { sortOf } from './transactions/sort.ts';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  if (url.searchParams.get('tab') === 'payouts') {
    const management = await loadPayoutManagement(ctx, url.searchParams);
    return data({ tab: 'payouts' as const, management }, management.complete ? undefined : { status: 503 });
  }
  const query = transactionQueryFrom(url.searchParams);
  const saleId = url.searchParams.get('sale');
  const disputeId = url.searchParams.get('dispute');
  const before = url.searchParams.get('history');
  const [list, sale, dispute, history] = await Promise.all([
    readOrNull(ctx, () => transactionList(ctx, query)),
    saleId ? saleDetails(ctx, { saleId }) : null,
    disputeId ? evidencePreview(ctx, { disputeId }).then((evidence) => ({ id: disputeId, evidence })) : null,
    saleId
      ? readOrNull(ctx, () => recordHistory(ctx, { entity: 'property_sale', entityId: saleId, before }))
      : undefined,
  ]);
  const dialog = url.searchParams.get('do');
  return data(
    {
      tab: 'transactions' as const,
      query,
      list,
      sale,
      dispute,
      history,
      dialog,
      reference: list ? null : referenceOf(ctx.requestId),
    },
    list ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handleTransactionsForm(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Transactions & Payouts', hidden: true });

/** All sales, and the payouts to their sellers. */
export default function Transactions({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const payoutsHref = adminPaths.transactions({ tab: 'payouts' });
  return (
    <>
      <AreaHead title="Transactions & Payouts" />
      <Tabs
        label="Transactions and payouts"
        current={loaderData.tab}
        tabs={[
          { id: 'transactions', label: 'Transactions', href: adminPaths.transactions() },
          { id: 'payouts', label: 'Payouts', href: payoutsHref },
        ]}
      >
        {loaderData.tab === 'payouts' ? (
          <PayoutManagement
            title="Pending Payouts"
            text="Manage commission payouts for completed sales"
            data={loaderData.management}
            hrefWith={(changes) => adminPaths.transactions({ ...Object.fromEntries(params), ...changes })}
            answer={actionData}
          />
        ) : (
          <TransactionsTab shown={loaderData} answer={actionData} />
        )}
      </Tabs>
    </>
  );
}

type Shown = Extract<Route.ComponentProps['loaderData'], { tab: 'transactions' }>;

function TransactionsTab({ shown, answer }: { shown: Shown; answer: Route.ComponentProps['actionData'] }) {
  const { query, list, sale, dispute, history, dialog, reference } = shown;
  const navigate = useNavigate();
  const slow = useSlowTable(adminPaths.transactions());
  const params = listParams(query);
  const here = { ...params, page: pageOf(query.page) };
  const drawerHref = (change: Record<string, string | number | undefined> = {}) =>
    adminPaths.transactions({ ...here, sale: sale?.id, ...change });
  return (
    <>
      <Drawer
        closeHref={adminPaths.transactions(here)}
        content={
          sale &&
          saleDrawer(
            sale,
            drawerHref,
            <RecordHistory
              history={history}
              href={(before) => drawerHref({ history: before ?? undefined })}
            />,
          )
        }
      />
      {sale && (
        <ActDialogs sale={sale} open={dialog} dispute={dispute} closeHref={drawerHref()} answer={answer} />
      )}
      <section className="panel mt-0!" aria-label="Transactions">
        <TransactionFilterForm query={query} list={list} />
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
          saleHref={(id) => adminPaths.transactions({ ...here, sale: id })}
          open={sale?.id ?? null}
        />
      </section>
      <Pagination
        page={list?.page ?? 1}
        pages={list?.pages ?? 1}
        href={(page) => adminPaths.transactions({ ...params, page })}
      />
    </>
  );
}

const pageOf = (page: number) => (page > 1 ? page : undefined);
