import './managed-sellers.css';
import { Link } from 'react-router';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { useRowClick } from '#ui/row-click.ts';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { rateText } from '../commission.ts';
import {
  clippedName,
  type ManagedSeller,
  managementMessages,
  NOT_SET,
  statusLabels,
  statusTones,
} from '../management.ts';
import { phoneText } from '../phone.ts';
import { mayBeSuspended, type SellersHref } from './seller-card.tsx';

interface Props {
  /** undefined while loading, null when that failed */
  sellers: readonly ManagedSeller[] | null | undefined;
  defaultRate: number;
  empty: string;
  failure: string;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
  href: SellersHref;
}

/** The sellers as a table; a row opens the details. */
export function ManagedSellersTable(props: Props) {
  const { sellers, defaultRate, empty, failure, sort, onSort, href } = props;
  const openRow = useRowClick();
  const retry = useRetry();
  const columns: readonly Column<ManagedSeller>[] = [
    {
      id: 'name',
      header: 'Name',
      sortable: true,
      lead: true,
      cell: ({ id, name }) => (
        <Link className="strong" to={href({ details: id })} preventScrollReset>
          {name}
        </Link>
      ),
    },
    {
      id: 'email',
      header: 'Email',
      sortable: true,
      cell: ({ email }) => (
        <span className="email" title={email}>
          {email}
        </span>
      ),
    },
    {
      id: 'phone',
      header: 'Phone',
      sortable: true,
      cell: ({ phone }) => (phone ? phoneText(phone) : NOT_SET),
    },
    {
      id: 'rate',
      header: 'Commission Rate',
      sortable: true,
      right: true,
      cell: ({ commissionRate }) => rateText(commissionRate, defaultRate),
    },
    {
      id: 'status',
      header: 'Status',
      sortable: true,
      cell: ({ status, archivedAt }) =>
        archivedAt ? (
          <Badge tone="mute">Archived</Badge>
        ) : (
          <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
        ),
    },
    {
      id: 'actions',
      header: 'Actions',
      right: true,
      cell: (seller) => <RowActions seller={seller} href={href} />,
    },
  ];
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="sellers-table" onClick={openRow}>
      <Table
        label="Sellers"
        dense
        columns={columns}
        rows={sellers ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading sellers..."
        empty={empty}
        error={sellers === null ? { title: managementMessages.failed, detail: failure, ...retry } : null}
        sort={sort}
        onSort={onSort}
      />
    </div>
  );
}

function RowActions({ seller, href }: { seller: ManagedSeller; href: SellersHref }) {
  const { id, name, status, archivedAt } = seller;
  if (archivedAt) return null;
  const of = <span className="vh"> {clippedName(name)}</span>;
  const opens = (dialog: string) => ({
    to: href({ do: dialog, id }),
    preventScrollReset: true,
    variant: 'ghost' as const,
    size: 'sm' as const,
  });
  return (
    <div className="rowacts">
      <ButtonLink {...opens('rate')}>
        Edit commission
        <span className="vh"> of {clippedName(name)}</span>
      </ButtonLink>
      {mayBeSuspended(seller) && (
        <ButtonLink {...opens(status === 'suspended' ? 'reactivate' : 'suspend')}>
          {status === 'suspended' ? 'Reactivate' : 'Suspend'}
          {of}
        </ButtonLink>
      )}
      <ButtonLink {...opens('delete')}>
        Delete
        {of}
      </ButtonLink>
    </div>
  );
}
