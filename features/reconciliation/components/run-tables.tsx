import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { accountName, runBadges } from '../display.ts';
import type { AccountBalance, RunLine } from '../views.ts';

const amount = (cents: number | null) => (cents === null ? '—' : dollarsAndCents(cents));

const runColumns: Column<RunLine>[] = [
  { id: 'account', header: 'Account', cell: (run) => <span className="strong">{accountName(run)}</span> },
  {
    id: 'state',
    header: 'Status',
    className: 'task-subject',
    cell: ({ state, failure }) => (
      <>
        <Badge tone={runBadges[state].tone}>{runBadges[state].label}</Badge>
        {failure && <small>{failure}</small>}
      </>
    ),
  },
  { id: 'listed', header: 'New', right: true, cell: ({ stored }) => formatCount(stored) },
  { id: 'matched', header: 'Matched', right: true, cell: ({ matched }) => formatCount(matched) },
  {
    id: 'breaks',
    header: 'Differences',
    right: true,
    cell: ({ breaksOpened, breaksClosed }) =>
      `${formatCount(breaksOpened)} found, ${formatCount(breaksClosed)} ended`,
  },
  { id: 'ours', header: 'Our books', right: true, cell: ({ oursCents }) => amount(oursCents) },
  { id: 'theirs', header: 'The provider', right: true, cell: ({ theirsCents }) => amount(theirsCents) },
  { id: 'started', header: 'Started', cell: ({ startedAt }) => <TimeAgo of={startedAt} /> },
];

/** Runs over the provider accounts, the latest first; null when they could not be loaded. */
export function RunTable({ runs }: { runs: readonly RunLine[] | null }) {
  const retry = useRetry();
  return (
    <Table
      label="Runs"
      columns={runColumns}
      rows={runs ?? []}
      rowKey={({ id }) => id}
      loading="Loading runs..."
      empty="No run yet."
      error={runs === null ? { title: 'The runs could not be loaded.', ...retry } : null}
    />
  );
}

const balanceColumns: Column<AccountBalance>[] = [
  { id: 'account', header: 'Account', cell: (one) => <span className="strong">{accountName(one)}</span> },
  { id: 'ours', header: 'Our books', right: true, cell: ({ oursCents }) => amount(oursCents) },
  {
    id: 'pending',
    header: 'On its way',
    right: true,
    cell: ({ comparison }) => amount(comparison?.pendingCents ?? null),
  },
  {
    id: 'theirs',
    header: 'The provider',
    right: true,
    cell: ({ comparison }) => amount(comparison?.theirsCents ?? null),
  },
  {
    id: 'state',
    header: 'Status',
    className: 'whitespace-normal!',
    cell: ({ comparison, reason }) => {
      if (comparison === null) return <Badge tone="warn">{reason ?? 'Not compared'}</Badge>;
      return comparison.unexplainedCents === 0 ? (
        <Badge tone="ok">Agrees</Badge>
      ) : (
        <Badge tone="bad">{dollarsAndCents(comparison.unexplainedCents)} unexplained</Badge>
      );
    },
  },
];

/** What our books and the providers say that stands with them; null when it could not be loaded. */
export function BalanceTable({ balances }: { balances: readonly AccountBalance[] | null }) {
  const retry = useRetry();
  return (
    <Table
      label="Balances"
      columns={balanceColumns}
      rows={balances ?? []}
      rowKey={({ accountId }) => accountId}
      loading="Loading balances..."
      empty="No provider holds money yet."
      error={balances === null ? { title: 'The balances could not be loaded.', ...retry } : null}
    />
  );
}
