import { data, useNavigate } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
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
    { query, list, sale, dispute, history, dialog, reference: list ? null : referenceOf(ctx.requestId) },
    list ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handleTransactionsForm(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Transactions & Payouts', hidden: true });

/** All sales, for administrators. */
export default function Transactions({ loaderData, actionData }: Route.ComponentProps) {
  const { query, list, sale, dispute, history, dialog, reference } = loaderData;
  const navigate = useNavigate();
  const slow = useSlowTable(adminPaths.transactions());
  const params = listParams(query);
  const here = { ...params, page: pageOf(query.page) };
  const drawerHref = (change: Record<string, string | number | undefined> = {}) =>
    adminPaths.transactions({ ...here, sale: sale?.id, ...change });
  return (
    <>
      <AreaHead title="Transactions & Payouts" />
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
        <ActDialogs
          sale={sale}
          open={dialog}
          dispute={dispute}
          closeHref={drawerHref()}
          answer={actionData}
        />
      )}
      <Tabs
        label="Transactions and payouts"
        current="transactions"
        tabs={[{ id: 'transactions', label: 'Transactions', href: adminPaths.transactions() }]}
      >
        <section className="panel mt-0!" aria-label="Transactions">
          <TransactionFilterForm query={query} list={list} />
          <TransactionsTable
            rows={slow ? undefined : (list?.rows ?? null)}
            failure={`The list could not be read. Please try again. (reference ${reference})`}
            empty={
              isNarrowed(query) ? (
                words.noMatch
              ) : (
                <EmptyState bare title={words.empty} text={words.emptyText} />
              )
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
      </Tabs>
    </>
  );
}

const pageOf = (page: number) => (page > 1 ? page : undefined);
