import { formatCount } from '#platform/format-count.ts';
import './buyers.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { useRowClick } from '#ui/row-click.ts';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { BuyerRow } from '../model.ts';
import { buyerStatusBadges } from '../rules.ts';

interface Props {
  /** undefined while loading, null when that failed */
  rows: readonly BuyerRow[] | null | undefined;
  empty: ReactNode;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
  /** the URL of a buyer's details */
  detailsHref: (buyerId: string) => string;
}

/** Buyers by name, with what they do here; a row opens the details. */
export function BuyerTable({ rows, empty, sort, onSort, detailsHref }: Props) {
  const openRow = useRowClick();
  const retry = useRetry();
  const columns: readonly Column<BuyerRow>[] = [
    {
      id: 'name',
      header: 'Name',
      sortable: true,
      cell: ({ id, name }) => (
        <Link className="strong" to={detailsHref(id)} preventScrollReset>
          {name}
        </Link>
      ),
    },
    { id: 'email', header: 'Email', sortable: true, cell: ({ email }) => email },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status }) => (
        <Badge tone={buyerStatusBadges[status].tone}>{buyerStatusBadges[status].label}</Badge>
      ),
    },
    {
      id: 'purchases',
      header: 'Purchases',
      right: true,
      cell: ({ purchases }) => formatCount(purchases),
    },
    {
      id: 'inquiries',
      header: 'Inquiries',
      right: true,
      cell: ({ inquiries }) => formatCount(inquiries),
    },
    {
      id: 'joined',
      header: 'Joined',
      right: true,
      sortable: true,
      cell: ({ joinedAt }) => <LocalTime of={joinedAt} as="date" />,
    },
  ];
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="buyers" onClick={openRow}>
      <Table
        label="Buyers"
        columns={columns}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading buyers…"
        empty={empty}
        error={rows === null ? { title: 'The buyers could not be loaded.', ...retry } : null}
        sort={sort}
        onSort={onSort}
      />
    </div>
  );
}
