import './breaks.css';
import { Link } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { accountName, stateBadges } from '../display.ts';
import type { BreakCount, BreakLine } from '../views.ts';

const amount = (cents: number | null) => (cents === null ? '—' : dollarsAndCents(cents));

interface Props {
  /** null when they could not be loaded */
  breaks: readonly BreakLine[] | null;
  filtered: boolean;
  href: (breakId: string) => string;
}

/** Differences, the newest first. */
export function BreakTable({ breaks, filtered, href }: Props) {
  const retry = useRetry();
  const columns: Column<BreakLine>[] = [
    {
      id: 'title',
      header: 'Difference',
      className: 'task-subject',
      cell: ({ id, title, detail }) => (
        <>
          <Link className="strong" to={href(id)} preventScrollReset>
            {title}
          </Link>
          <small>{detail}</small>
        </>
      ),
    },
    { id: 'account', header: 'Account', cell: (line) => accountName(line) },
    { id: 'books', header: 'Our books', right: true, cell: ({ expectedCents }) => amount(expectedCents) },
    { id: 'provider', header: 'The provider', right: true, cell: ({ actualCents }) => amount(actualCents) },
    {
      id: 'state',
      header: 'Status',
      cell: ({ state }) => <Badge tone={stateBadges[state].tone}>{stateBadges[state].label}</Badge>,
    },
    { id: 'found', header: 'Found', cell: ({ createdAt }) => <TimeAgo of={createdAt} /> },
  ];
  return (
    <Table
      label="Differences"
      columns={columns}
      rows={breaks ?? []}
      rowKey={({ id }) => id}
      loading="Loading differences..."
      empty={filtered ? 'No difference matches these filters.' : 'Our books and the providers agree.'}
      error={breaks === null ? { title: 'The differences could not be loaded.', ...retry } : null}
    />
  );
}

/** How many differences of each kind are open, and since when. */
export function BreakCounts({
  counts,
  href,
}: {
  counts: readonly BreakCount[];
  href: (kind: string) => string;
}) {
  return (
    <ul className="break-counts">
      {counts.map(({ kind, title, count, oldestAt }) => (
        <li key={kind}>
          <Link to={href(kind)} preventScrollReset>
            <b>{count}</b> {title}
          </Link>
          <small>
            Oldest <TimeAgo of={oldestAt} />
          </small>
        </li>
      ))}
    </ul>
  );
}
