import { Download } from 'lucide-react';
import { data, Link } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSlowTable } from '#app/table-query.ts';
import { HistoryChanges } from '#features/audit/components/history-changes.tsx';
import { type HistoryFilters, historyFiltersFrom, historyQuery } from '#features/audit/history-filters.ts';
import type { ChainState, HistoryEntry } from '#features/audit/model.ts';
import { chainState, historyList } from '#features/audit/reads.ts';
import { countText } from '#platform/counts.ts';
import { formatCount } from '#platform/format-count.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { Route } from './+types/history';
import { HistoryFilterForm } from './history/filters.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const filters = historyFiltersFrom(url.searchParams);
  const [list, chain] = await Promise.all([
    readOrNull(ctx, () => historyList(ctx, { ...filters, before: url.searchParams.get('before') })),
    readOrNull(ctx, () => chainState(ctx)),
  ]);
  return data({ filters, list, chain }, list ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'History', hidden: true });

/** Who did what, when, and to what: the audit log in words. */
export default function History({ loaderData: { filters, list, chain } }: Route.ComponentProps) {
  const here = historyQuery(filters);
  const slow = useSlowTable(adminPaths.history());
  const retry = useRetry();
  const filtered = Object.values(here).some((value) => value !== undefined);
  return (
    <>
      <Breadcrumbs ancestors={[{ href: adminPaths.dashboard(), label: 'Dashboard' }]} current="History" />
      <AreaHead
        title="History"
        actions={
          <a className="btn btn-outline" href={adminPaths.historyCsv(here)} download>
            <Icon of={Download} />
            Export CSV
          </a>
        }
      />
      <Chain state={chain} />
      <HistoryFilterForm filters={filters} />
      <Panel title="What was done" className="mt-0!">
        <Table
          label="What was done"
          columns={columns(filters)}
          rows={slow ? undefined : (list?.entries ?? [])}
          rowKey={({ id }) => String(id)}
          loading="Loading history..."
          empty={filtered ? emptyText(filters) : 'Nothing has been recorded yet.'}
          error={list === null ? { title: 'The history could not be loaded.', ...retry } : null}
        />
      </Panel>
      <CursorPagination
        older={list?.older ? adminPaths.history({ ...here, before: list.older }) : null}
        newest={list?.isLater ? adminPaths.history(here) : null}
      />
    </>
  );
}

const emptyText = ({ record, recordId }: HistoryFilters): string =>
  recordId && !record
    ? 'Choose the kind of record to search for one by its id.'
    : 'Nothing matches these filters.';

/** Days and times are UTC in the filters, and the reader's own in the list. */
const columns = (filters: HistoryFilters): Column<HistoryEntry>[] => [
  {
    id: 'what',
    header: 'What',
    lead: true,
    cell: ({ what }) => <span className="strong">{what}</span>,
  },
  {
    id: 'who',
    header: 'Who',
    cell: ({ who, role }) => (
      <>
        {who}
        {role && <small className="block text-xs text-ink-muted">{role}</small>}
      </>
    ),
  },
  { id: 'when', header: 'When', cell: ({ at }) => <LocalTime of={at} as="exact" /> },
  {
    id: 'record',
    header: 'Record',
    cell: ({ entity, record, recordId }) => (
      <Link
        className="link"
        to={adminPaths.history({ ...historyQuery(filters), record: entity, id: recordId })}
        title={recordId}
      >
        {record}
        <small className="block text-xs">
          {recordId.length > 12 ? `${recordId.slice(0, 8)}…` : recordId}
        </small>
      </Link>
    ),
  },
  {
    id: 'changes',
    header: 'Before and after',
    className: 'history-changes',
    cell: ({ changes }) => (changes.length === 0 ? '—' : <HistoryChanges changes={changes} />),
  },
];

function Chain({ state }: { state: ChainState | null }) {
  if (!state) return null;
  const { head, waiting, isBroken } = state;
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-muted">
      <Badge tone={isBroken ? 'bad' : head ? 'ok' : 'mute'}>
        {isBroken ? 'The check found a fault' : head ? 'Chained' : 'Not chained yet'}
      </Badge>
      {head && (
        <span>
          {formatCount(head.position)} entries up to <LocalTime of={head.at} as="exact" />,{' '}
          {countText(waiting)} waiting
        </span>
      )}
      {head && (
        <span className="[overflow-wrap:anywhere]" title={head.hash}>
          Head {head.position}:{head.hash.slice(0, 12)}…
        </span>
      )}
    </p>
  );
}
