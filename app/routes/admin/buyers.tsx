import { data } from 'react-router';
import { dataRequestHandlers } from '#app/actions/data-requests.actions.ts';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery, toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { nullWhenGone } from '#app/when-gone.ts';
import { RecordHistory } from '#features/audit/components/record-history.tsx';
import { recordHistory } from '#features/audit/reads.ts';
import { buyerSorts } from '#features/buyers/buyer-list.ts';
import { reinstateBuyer } from '#features/buyers/commands/reinstate-buyer.ts';
import { suspendBuyer } from '#features/buyers/commands/suspend-buyer.ts';
import { BuyerDialogs } from '#features/buyers/components/buyer-dialogs.tsx';
import { BuyerSections } from '#features/buyers/components/buyer-sections.tsx';
import { BuyerTable } from '#features/buyers/components/buyer-table.tsx';
import { type BuyerAction, buyerActions } from '#features/buyers/model.ts';
import { buyerDetails, buyerList } from '#features/buyers/reads.ts';
import { suspensionRefusals } from '#features/buyers/rules.ts';
import { stateBadges } from '#features/inquiries/display.ts';
import { DataRequestDialog, DataRequests } from '#features/personal-data/components/data-request-dialogs.tsx';
import { type DataRequest, dataRequests } from '#features/personal-data/data-requests.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Drawer, DrawerSection } from '#ui/drawer.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/buyers';

/** What of the page its URL says, apart from the dialog. */
function placeOf(params: URLSearchParams) {
  const { page, ...query } = parseTableQuery(params, buyerSorts);
  const suspended = params.get('status') === 'suspended';
  const details = params.get('details') || undefined;
  const here = {
    ...toTableQuery(query),
    status: suspended ? 'suspended' : undefined,
    page: page > 1 ? page : undefined,
  };
  return { query: { ...query, page }, suspended, details, here };
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { query, suspended, details, here } = placeOf(url.searchParams);
  const before = url.searchParams.get('history');
  const [buyers, found, history] = await Promise.all([
    readOrNull(ctx, () => buyerList(ctx, { ...query, suspended })),
    details ? readOr(ctx, undefined, () => nullWhenGone(buyerDetails(ctx, { buyerId: details }))) : null,
    details
      ? readOrNull(ctx, () => recordHistory(ctx, { entity: 'user', entityId: details, before }))
      : undefined,
  ]);
  // One who is gone, or could not be read, leaves the list as it is.
  const complete = buyers && found !== undefined;
  const asked = url.searchParams.get('do');
  return data(
    {
      query,
      here,
      buyers,
      buyer: found ?? null,
      history,
      dialog: buyerActions.find((action) => action === asked) ?? null,
      request: dataRequests.find((request) => request === asked) ?? null,
      exported: url.searchParams.get('export'),
    },
    complete ? undefined : { status: 503 },
  );
}

/** Suspends or reinstates a buyer, and returns to the details with a toast. */
export function action(args: Route.ActionArgs) {
  const { here } = placeOf(args.url.searchParams);
  const perform =
    (command: typeof suspendBuyer, done: (name: string) => string) =>
    async ({ ctx, text }: Submission) => {
      const buyerId = text('id');
      const result = await command(ctx, { buyerId, reason: text('reason') });
      const back = adminPaths.buyers({ ...here, details: buyerId });
      if (result.ok) return redirectWithToast(back, { title: done(result.name) }, { status: 303 });
      const problem = suspensionRefusals[result.reason];
      if (result.reason === 'empty' || result.reason === 'too_long')
        return { ok: false as const, errors: { reason: problem } };
      return redirectWithToast(back, { title: 'Error', text: problem, tone: 'bad' }, { status: 303 });
    };
  const intents: Record<BuyerAction, ReturnType<typeof perform>> = {
    suspend: perform(suspendBuyer, (name) => `${name} is suspended`),
    reinstate: perform(reinstateBuyer, (name) => `${name} is reinstated`),
  };
  return runAction(args, {
    intents: {
      ...intents,
      ...dataRequestHandlers(({ text }, link) =>
        adminPaths.buyers({ ...here, details: text('id'), export: link }),
      ),
    },
    preserve: ['reason', 'confirmation'],
  });
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('reason', 'confirmation'),
    toast: NOT_SAVED,
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: 'Buyers', hidden: true });

/** Everyone who buys: found by name, email address or id. */
export default function Buyers({ loaderData, actionData }: Route.ComponentProps) {
  const { query, here, buyers, buyer, history, dialog, request, exported } = loaderData;
  const slow = useSlowTable(adminPaths.buyers());
  const filter = { status: here.status };
  const order = useTableSort(query, (next) => adminPaths.buyers({ ...next, ...filter }));
  const { rows = null, total, page = 1, pages = 1 } = buyers ?? {};
  const detailsHref = (
    details: string,
    more: { do?: BuyerAction | DataRequest; history?: number | undefined } = {},
  ) => adminPaths.buyers({ ...here, details, ...more });
  return (
    <>
      <AreaHead title="Buyers" />
      <FlashToast toast={actionData?.toast} />
      <Drawer
        closeHref={adminPaths.buyers(here)}
        content={
          buyer && {
            title: buyer.name,
            text: buyer.email,
            actions: buyer.status !== 'closed' && (
              <ButtonLink
                variant="outline"
                to={detailsHref(buyer.id, { do: buyer.suspension ? 'reinstate' : 'suspend' })}
                preventScrollReset
              >
                {buyer.suspension ? 'Reinstate buyer' : 'Suspend buyer'}
              </ButtonLink>
            ),
            children: (
              <>
                <BuyerSections
                  buyer={buyer}
                  saleHref={(sale) => adminPaths.transactions({ sale })}
                  allHrefs={{
                    sales: adminPaths.transactions({ buyer: buyer.id }),
                    inquiries: adminPaths.inquiries({ q: buyer.email }),
                  }}
                  messagesHref={(messages) => adminPaths.inquiries({ messages })}
                  stateBadges={stateBadges}
                />
                {buyer.status !== 'closed' && (
                  <DataRequests
                    link={exported}
                    exportHref={detailsHref(buyer.id, { do: 'export' })}
                    eraseHref={detailsHref(buyer.id, { do: 'erase' })}
                  />
                )}
                <DrawerSection>
                  <RecordHistory
                    history={history}
                    href={(before) => detailsHref(buyer.id, { history: before ?? undefined })}
                  />
                </DrawerSection>
              </>
            ),
          }
        }
      />
      {buyer && (
        <BuyerDialogs
          buyer={buyer}
          action={buyer.status === 'closed' ? null : dialog}
          closeHref={detailsHref(buyer.id)}
          answer={actionData}
        />
      )}
      {buyer && buyer.status !== 'closed' && (
        <DataRequestDialog
          request={request}
          person={buyer}
          fields={{ id: buyer.id, user: buyer.id }}
          closeHref={detailsHref(buyer.id)}
          answer={actionData}
        />
      )}
      <Tabs
        label="Buyers"
        current={here.status ?? 'all'}
        tabs={[
          { id: 'all', label: 'All buyers', href: adminPaths.buyers({ q: here.q }) },
          {
            id: 'suspended',
            label: 'Suspended',
            href: adminPaths.buyers({ q: here.q, status: 'suspended' }),
          },
        ]}
      >
        <Panel
          title={
            total ? `${countText(total)} ${total.count === 1 && !total.more ? 'buyer' : 'buyers'}` : 'Buyers'
          }
          actions={
            <TableSearch
              label="Search by name, email or ID"
              action={adminPaths.buyers()}
              keep={filter}
              clearHref={adminPaths.buyers(filter)}
              q={query.q}
              sort={here.sort}
            />
          }
        >
          <BuyerTable
            rows={slow ? undefined : rows}
            empty={
              query.q
                ? 'No buyers match your search.'
                : filter.status
                  ? 'No buyer is suspended.'
                  : 'No buyers yet.'
            }
            detailsHref={(id) => detailsHref(id)}
            {...order}
          />
        </Panel>
        <Pagination
          page={page}
          pages={pages}
          href={(page) => adminPaths.buyers({ ...here, page })}
          rows={total?.count}
        />
      </Tabs>
    </>
  );
}
