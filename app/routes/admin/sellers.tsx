import { UserPlus } from 'lucide-react';
import { data, useNavigate } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { recordHistory } from '#features/audit/reads.ts';
import { DataRequestDialog } from '#features/personal-data/components/data-request-dialogs.tsx';
import { CommissionHistory } from '#features/sales/components/commission-history.tsx';
import { commissionHistory } from '#features/sales/reads.ts';
import { ManagedSellersTable } from '#features/sellers/components/managed-sellers-table.tsx';
import { SellerCard } from '#features/sellers/components/seller-card.tsx';
import { SellerDialog } from '#features/sellers/components/seller-dialogs.tsx';
import { managementMessages as words } from '#features/sellers/management.ts';
import { managedSeller, sellerList, sellerRemoval } from '#features/sellers/reads.ts';
import { sellerStatementMonths } from '#features/statements/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { referenceOf } from '#platform/http/reference.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/sellers';
import { handleSellersForm } from './sellers/actions.ts';
import { hrefFrom, parseSellersQuery, type SellersQuery } from './sellers/query.ts';
import { SellerDrawer } from './sellers/seller-drawer.tsx';
import { SellersFilter } from './sellers/sellers-filter.tsx';

/** Sellers on a page where nothing was chosen; neither view ever has more than 100, so that nothing long has to be kept out of the document. */
const USUAL_SIZES = { full: 25, list: 100 } as const;

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = parseSellersQuery(url.searchParams);
  const [list, sales, dialog, drawer] = await Promise.all([
    readOrNull(ctx, () => sellerList(ctx, { ...query, pageSize: query.size ?? USUAL_SIZES[query.view] })),
    readSales(ctx, query),
    readOrNull(ctx, () => nullWhenGone(readDialog(ctx, query))),
    readOrNull(ctx, () => nullWhenGone(readDrawer(ctx, query))),
  ]);
  const failed = list === null || sales === null;
  return data(
    { query, list, sales, dialog, drawer, reference: failed ? referenceOf(ctx.requestId) : null },
    failed ? { status: 503 } : undefined,
  );
}

/** The commission history of the open card; undefined where none is open, null when it failed. */
const readSales = async (ctx: Ctx, { view, card }: SellersQuery) =>
  view === 'full' && card?.tab === 'history'
    ? readOrNull(ctx, async () => ({
        of: card.id,
        ...(await commissionHistory(ctx, { sellerId: card.id, page: card.page })),
      }))
    : undefined;

async function readDialog(ctx: Ctx, { dialog, id }: SellersQuery) {
  if (!dialog || dialog === 'add') return null;
  const seller = await managedSeller(ctx, id);
  if (seller.archivedAt) return null;
  return { seller, removal: dialog === 'delete' ? await sellerRemoval(ctx, id) : null };
}

async function readDrawer(ctx: Ctx, { details, before }: SellersQuery) {
  if (details === null) return null;
  const [seller, history, months] = await Promise.all([
    managedSeller(ctx, details),
    readOrNull(ctx, () => recordHistory(ctx, { entity: 'agent', entityId: details, before })),
    readOrNull(ctx, () => nullWhenGone(sellerStatementMonths(ctx, { sellerId: details }))),
  ]);
  return { seller, history, months };
}

export const action = (args: Route.ActionArgs) => handleSellersForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('id', 'name', 'email', 'phone', 'rate', 'reason'),
    toast: { title: 'Error', text: words.unexpected },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Manage Sellers', hidden: true });

/** All sellers, for administrators, as cards or as a table. */
export default function ManageSellers({ loaderData, actionData }: Route.ComponentProps) {
  const { query, list, dialog, drawer } = loaderData;
  const navigate = useNavigate();
  const href = hrefFrom(query);
  const { view } = query;
  const defaultRate = list?.defaultRate ?? 0;
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <Breadcrumbs ancestors={[{ href: paths.adminDashboard(), label: 'Dashboard' }]} current="Sellers" />
      <AreaHead
        title="Manage Sellers"
        actions={
          <ButtonLink to={href({ do: 'add' })} icon={UserPlus} preventScrollReset>
            Add Seller
          </ButtonLink>
        }
      />
      <FlashToast toast={actionData?.toast} />
      <Tabs
        label="View"
        current={view}
        tabs={[
          { id: 'full', label: 'Full View', href: viewHref(query, undefined) },
          { id: 'list', label: 'List View', href: viewHref(query, 'list') },
        ]}
      >
        <SellersFilter query={query} total={list?.total} />
        {view === 'list' ? <ListView {...loaderData} /> : <FullView {...loaderData} answer={actionData} />}
      </Tabs>
      {list && (
        <Pagination
          page={list.page}
          pages={list.pages}
          href={(page) => href({ page: String(page) })}
          rows={list.total.count}
          usualSize={USUAL_SIZES[view]}
        />
      )}
      {query.dialog && (query.dialog === 'add' || dialog) && (
        <SellerDialog
          key={`${query.dialog} ${query.id}`}
          dialog={query.dialog}
          seller={dialog?.seller ?? null}
          removal={dialog?.removal ?? null}
          defaultRate={defaultRate}
          here={href({ do: query.dialog, id: query.id || undefined })}
          answer={actionData}
          onClose={() => void navigate(href({}), { replace: true, preventScrollReset: true })}
        />
      )}
      <SellerDrawer shown={drawer && { ...drawer, defaultRate }} href={href} exported={query.exported} />
      {drawer?.seller.userId && (
        <DataRequestDialog
          request={query.request}
          person={drawer.seller}
          fields={{ id: drawer.seller.id, user: drawer.seller.userId }}
          closeHref={href({ details: drawer.seller.id })}
          answer={actionData}
        />
      )}
    </>
  );
}

const viewHref = ({ q, sort, status }: SellersQuery, view: 'list' | undefined) =>
  adminPaths.sellers({ view, status: status ?? undefined, ...toTableQuery({ q, sort }) });

type Loaded = Route.ComponentProps['loaderData'];

const isNarrowed = ({ q, status }: SellersQuery) => q !== '' || status !== null;
const failureOf = (text: string, reference: string | null) => `${text} (reference ${reference})`;

function ListView({ query, list, reference }: Loaded) {
  const slow = useSlowTable(adminPaths.sellers());
  const order = useTableSort(query, (table) =>
    adminPaths.sellers({ view: 'list', status: query.status ?? undefined, ...table }),
  );
  return (
    <div className="panel mt-0!">
      <ManagedSellersTable
        sellers={slow ? undefined : (list?.sellers ?? null)}
        defaultRate={list?.defaultRate ?? 0}
        empty={isNarrowed(query) ? words.noMatch : `${words.notFound}. ${words.notFoundHint}`}
        failure={failureOf(words.failedDetail, reference)}
        href={hrefFrom(query)}
        {...order}
      />
    </div>
  );
}

interface FullViewProps extends Loaded {
  answer: Route.ComponentProps['actionData'];
}

function FullView({ query, list, sales, reference, answer }: FullViewProps) {
  const slow = useSlowTable(adminPaths.sellers());
  const href = hrefFrom(query);
  if (slow) return <p role="status">Loading sellers...</p>;
  if (!list) return <FailedPanel title={words.failed} detail={failureOf(words.failedDetail, reference)} />;
  if (list.sellers.length === 0)
    return isNarrowed(query) ? (
      <EmptyState title={words.noMatch} />
    ) : (
      <EmptyState title={words.notFound} text={words.notFoundHint} />
    );
  const refused = answer?.intent === 'rate' && !answer.ok ? answer : null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section className="sellers-region" aria-label="Sellers" tabIndex={0}>
      {list.sellers.map((seller) => (
        <SellerCard
          key={seller.id}
          seller={seller}
          defaultRate={list.defaultRate}
          tab={query.card?.id === seller.id ? query.card.tab : 'details'}
          href={href}
          refused={
            refused?.input?.id === seller.id
              ? { rate: refused.input.rate, error: refused.errors?.rate }
              : null
          }
          history={
            <CommissionHistory
              sales={sales?.of === seller.id ? sales : null}
              failure={{
                title: words.salesFailed,
                detail: failureOf('Please try again later.', reference),
              }}
              href={(page) => href({ sales: String(page) })}
            />
          }
        />
      ))}
    </section>
  );
}
