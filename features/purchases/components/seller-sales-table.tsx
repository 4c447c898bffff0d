import './own-sales.css';
import { Link } from 'react-router';
import { paths } from '#app/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { useOpenRow } from '#ui/open-row.ts';
import type { Sort } from '#ui/sort-head.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { dollarsAndCents, payoutWords } from '../rules.ts';
import type { SellerSale } from '../seller-sales.ts';

const status = ({ state }: SellerSale) => {
  const { tone, label } = payoutWords(state);
  return <Badge tone={tone}>{label}</Badge>;
};

const columns: readonly Column<SellerSale>[] = [
  { id: 'date', head: 'Date', sortable: true, cell: ({ date }) => <LocalTime of={date} as="date" /> },
  {
    id: 'property',
    head: 'Property',
    sortable: true,
    cell: ({ id, property }) => (
      <Link className="strong" to={paths.agentSale(id)}>
        {property.address}
      </Link>
    ),
  },
  {
    id: 'price',
    head: 'Sale Price',
    right: true,
    sortable: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  {
    id: 'commission',
    head: 'Commission',
    right: true,
    sortable: true,
    cell: ({ commissionCents }) => dollarsAndCents(commissionCents),
  },
  { id: 'status', head: 'Status', sortable: true, cell: status },
  {
    id: 'payout',
    head: 'Payout Date',
    sortable: true,
    cell: ({ payoutDate }) => (payoutDate ? <LocalTime of={payoutDate} as="date" /> : '-'),
  },
];

/** The columns of 'Commission History' (S0 §2 'Seller settings'). */
const commissions: readonly Column<SellerSale>[] = [
  {
    id: 'date',
    head: 'Date',
    cell: ({ id, date, property }) => (
      <Link className="strong" to={paths.agentSale(id)}>
        <LocalTime of={date} as="date" />
        <span className="vh">, {property.address}</span>
      </Link>
    ),
  },
  {
    id: 'amount',
    head: 'Sale Amount',
    right: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  {
    id: 'commission',
    head: 'Commission',
    right: true,
    cell: ({ commissionCents }) => dollarsAndCents(commissionCents),
  },
  { id: 'status', head: 'Status', cell: status },
];

interface Props {
  label: string;
  /** undefined while they are on their way */
  rows: readonly SellerSale[] | undefined;
  /** the four columns of the commission history instead of the six of the transactions */
  brief?: boolean;
  empty?: string;
  sort?: Sort | null;
  onSort?: (next: Sort | null) => void;
}

/** A seller's sales (S0 §2 'Seller transactions'): a row opens the timeline of its sale. */
export function SellerSalesTable({ label, rows, brief, empty, sort, onSort }: Props) {
  const openRow = useOpenRow();
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="own-sales" onClick={openRow}>
      <Table
        label={label}
        columns={brief ? commissions : columns}
        rows={rows}
        rowKey={({ id }) => id}
        loading="Loading transactions..."
        empty={empty ?? 'No transactions found'}
        error={null}
        {...(sort !== undefined && { sort })}
        {...(onSort && { onSort })}
      />
    </div>
  );
}
