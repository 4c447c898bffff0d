import { data, Form } from 'react-router';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { RecordHistory } from '#features/audit/components/record-history.tsx';
import { recordHistory } from '#features/audit/reads.ts';
import { DisputeTable } from '#features/disputes/components/dispute-table.tsx';
import { openDisputes } from '#features/disputes/reads.ts';
import { treasuryLines } from '#features/payout-runs/reads.ts';
import { BreakDialogs } from '#features/reconciliation/components/break-dialogs.tsx';
import { BreakDrawer } from '#features/reconciliation/components/break-drawer.tsx';
import { BalanceTable, RunTable } from '#features/reconciliation/components/run-tables.tsx';

import {
  breakDecision,
  breakDetail,
  breakList,
  clearingBalances,
  openBreakCounts,
  reconciliationRuns,
} from '#features/reconciliation/reads.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { Button } from '#ui/button.tsx';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { Route } from './+types/reconciliation';
import { ifThere } from './frame.tsx';
import { handleReconciliationForm } from './reconciliation/actions.ts';
import { BreaksTab } from './reconciliation/breaks-tab.tsx';
import {
  parseReconciliationQuery,
  type ReconciliationQuery,
  toReconciliationQuery,
} from './reconciliation/query.ts';
import { TreasuryTable } from './reconciliation/treasury-table.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = parseReconciliationQuery(url.searchParams);
  const breakId = query.details;
  const [shown, difference, history] = await Promise.all([
    readTab(ctx, query),
    breakId
      ? Promise.all([breakDetail(ctx, { breakId }), breakDecision(ctx, { breakId })]).then(
          ([detail, decision]) => ({ detail, decision }),
        )
      : null,
    breakId
      ? readOrNull(ctx, () =>
          recordHistory(ctx, { entity: 'break', entityId: breakId, before: url.searchParams.get('history') }),
        )
      : undefined,
  ]);
  const complete = shown.list !== null && !(shown.tab === 'balances' && shown.treasury === null);
  return data({ query, shown, difference, history }, complete ? undefined : { status: 503 });
}

/** What the current tab shows; null when it could not be read. */
async function readTab(ctx: ServerCtx, query: ReconciliationQuery) {
  const { tab, state, kind, age, before, page } = query;
  switch (tab) {
    case 'breaks': {
      const [list, counts] = await Promise.all([
        readOrNull(ctx, () => breakList(ctx, { state, kind, olderThanDays: age, before })),
        readOrNull(ctx, () => openBreakCounts(ctx)),
      ]);
      return { tab, list, counts: counts ?? [] };
    }
    case 'disputes':
      return { tab, list: await readOrNull(ctx, () => openDisputes(ctx, { page })) };
    case 'runs':
      return { tab, list: await readOrNull(ctx, () => reconciliationRuns(ctx, { before })) };
    case 'balances': {
      const [list, treasury] = await Promise.all([
        readOrNull(ctx, () => clearingBalances(ctx)),
        readOrNull(ctx, () => treasuryLines(ctx)),
      ]);
      return { tab, list, treasury };
    }
  }
}

export const action = (args: Route.ActionArgs) => handleReconciliationForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('reason', 'to', 'sale', 'account', 'other'),
    toast: NOT_SAVED,
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Reconciliation', hidden: true });

/** The sale's drawer, once there is its page. */
const saleHref = (sale: string): string | undefined =>
  ifThere(adminPaths.transactions()) && adminPaths.transactions({ sale });

/** Whether our books and the payment providers agree, and what to do where they do not. */
export default function Reconciliation({ loaderData, actionData }: Route.ComponentProps) {
  const { query, shown, difference, history } = loaderData;
  const here = toReconciliationQuery(query);
  const detailsHref = (details: string, more: { do?: string; history?: number | undefined } = {}) =>
    adminPaths.reconciliation({ ...here, details, ...more });
  const id = difference?.detail.id ?? '';
  return (
    <>
      <Breadcrumbs
        ancestors={[{ href: adminPaths.dashboard(), label: 'Dashboard' }]}
        current="Reconciliation"
      />
      <AreaHead title="Reconciliation" actions={<RunNow />} />
      <FlashToast toast={actionData?.toast} />
      <BreakDrawer
        shown={difference}
        closeHref={adminPaths.reconciliation(here)}
        actionHref={(action) => detailsHref(id, { do: action })}
        saleHref={saleHref}
        history={
          <RecordHistory
            history={history}
            href={(before) => detailsHref(id, { history: before ?? undefined })}
          />
        }
      />
      {difference && (
        <BreakDialogs
          breakId={id}
          decision={difference.decision}
          action={query.action}
          closeHref={detailsHref(id)}
          answer={actionData}
        />
      )}
      <Tabs
        label="Reconciliation"
        current={query.tab}
        tabs={[
          { id: 'breaks', label: 'Differences', href: adminPaths.reconciliation() },
          { id: 'disputes', label: 'Disputes', href: adminPaths.reconciliation({ tab: 'disputes' }) },
          { id: 'runs', label: 'Runs', href: adminPaths.reconciliation({ tab: 'runs' }) },
          { id: 'balances', label: 'Balances', href: adminPaths.reconciliation({ tab: 'balances' }) },
        ]}
      >
        {shown.tab === 'breaks' && (
          <BreaksTab list={shown.list} counts={shown.counts} query={query} here={here} />
        )}
        {shown.tab === 'disputes' && (
          <>
            <Panel title="Disputes" className="mt-0!">
              <DisputeTable disputes={shown.list?.disputes ?? null} saleHref={saleHref} />
            </Panel>
            <Pagination
              page={query.page}
              pages={shown.list?.more ? query.page + 1 : query.page}
              href={(page) => adminPaths.reconciliation({ ...here, page })}
            />
          </>
        )}
        {shown.tab === 'runs' && (
          <>
            <Panel title="Runs" className="mt-0!">
              <RunTable runs={shown.list?.runs ?? null} />
            </Panel>
            <CursorPagination
              older={
                shown.list?.before
                  ? adminPaths.reconciliation({ tab: 'runs', before: shown.list.before })
                  : null
              }
              newest={query.before === null ? null : adminPaths.reconciliation({ tab: 'runs' })}
            />
          </>
        )}
        {shown.tab === 'balances' && (
          <>
            <Panel title="Balances" className="mt-0!">
              <BalanceTable balances={shown.list} />
            </Panel>
            <Panel title="Money for payouts">
              <p className="treasury-text">
                What sellers are paid out of, as each provider says every hour. What is held for sales that
                were paid into the account belongs to them. What is due to sellers within a day for other
                sales, such as those paid in crypto, needs other money.
              </p>
              <TreasuryTable lines={shown.treasury} />
            </Panel>
          </>
        )}
      </Tabs>
    </>
  );
}

/** Has all accounts reconciled now. */
function RunNow() {
  const pending = usePendingForm('run') !== null;
  return (
    <Form method="post" className="contents">
      <IntentField is="run" />
      <Button type="submit" variant="outline" busy={pending}>
        Reconcile now
      </Button>
    </Form>
  );
}
