import { dollarsAndCents } from '#platform/money.ts';
import './sales-table.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { useRowClick } from '#ui/row-click.ts';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { SellerSale } from '../seller-sales.ts';
import { commissionColumns, payoutBadge } from './commission-columns.tsx';
import { TestModeMark } from './test-mode-mark.tsx';

const propertyLink = ({ id, property, testMode }: SellerSale) => (
  <>
    <Link className="strong" to={sellerPaths.sale(id)}>
      {property.address}
    </Link>
    <TestModeMark testMode={testMode} />
  </>
);

const columnsWith = (note: Props['note']): readonly Column<SellerSale>[] => [
  { id: 'date', header: 'Date', sortable: true, cell: ({ date }) => <LocalTime of={date} as="date" /> },
  { id: 'property', header: 'Property', sortable: true, lead: true, cell: propertyLink },
  {
    id: 'price',
    header: 'Sale Price',
    right: true,
    sortable: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  {
    id: 'commission',
    header: 'Commission',
    right: true,
    sortable: true,
    cell: ({ commissionCents }) => dollarsAndCents(commissionCents),
  },
  {
    id: 'status',
    header: 'Status',
    sortable: true,
    cell: (sale) => (
      <>
        {payoutBadge(sale)}
        {note?.(sale)}
      </>
    ),
  },
  {
    id: 'payout',
    header: 'Payout Date',
    sortable: true,
    cell: ({ payoutDate }) => (payoutDate ? <LocalTime of={payoutDate} as="date" /> : '-'),
  },
];

/** The columns of 'Commission History' in the seller's settings. */
const commissions = commissionColumns(propertyLink);

interface Props {
  label: string;
  /** undefined while loading, null when that failed */
  rows: readonly SellerSale[] | null | undefined;
  /** the columns of the commission history instead of the six of the transactions */
  brief?: boolean;
  empty?: string;
  /** beneath the status */
  note?: (sale: SellerSale) => ReactNode;
  sort?: Sort | null;
  onSort?: (next: Sort | null) => void;
}

/** A seller's sales; a row opens the page of its sale. */
export function SellerSalesTable({ label, rows, brief, empty, note, sort, onSort }: Props) {
  const openRow = useRowClick();
  const retry = useRetry();
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="own-sales" onClick={openRow}>
      <Table
        label={label}
        columns={brief ? commissions : columnsWith(note)}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading transactions..."
        empty={empty ?? 'No transactions found'}
        error={rows === null ? { title: 'The transactions could not be loaded.', ...retry } : null}
        {...(sort !== undefined && { sort })}
        {...(onSort && { onSort })}
      />
    </div>
  );
}
