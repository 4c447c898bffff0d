import './transactions.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TestModeMark } from '#features/sales/components/test-mode-mark.tsx';
import {
  escrowLabel,
  escrowTone,
  paidByLabels,
  paymentLabel,
  paymentTone,
  payoutStatusBadge,
} from '#features/sales/rules.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { useRowClick } from '#ui/row-click.ts';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { Transaction } from '../model.ts';
import { transactionMessages } from '../rules.ts';

interface Props {
  /** undefined while loading, null when that failed */
  rows: readonly Transaction[] | null | undefined;
  /** what the server said when it failed */
  failure: string;
  empty: ReactNode;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
  /** where the drawer of a sale opens */
  saleHref: (id: string) => string;
  /** the sale whose drawer is open */
  open: string | null;
}

/** All sales, for administrators; a row opens the drawer of its sale. */
export function TransactionsTable({ rows, failure, empty, sort, onSort, saleHref, open }: Props) {
  const openRow = useRowClick();
  const retry = useRetry();
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="own-sales transactions" onClick={openRow}>
      <Table
        label="Transactions"
        columns={columnsFor(saleHref)}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading transactions..."
        empty={empty}
        error={rows === null ? { title: transactionMessages.failed, detail: failure, ...retry } : null}
        sort={sort}
        onSort={onSort}
        selected={({ id }) => id === open}
      />
    </div>
  );
}

const columnsFor = (saleHref: Props['saleHref']): readonly Column<Transaction>[] => [
  {
    id: 'date',
    header: 'Date',
    sortable: true,
    cell: ({ date }) => <LocalTime of={date} as="date" />,
  },
  {
    id: 'property',
    header: 'Property',
    sortable: true,
    lead: true,
    cell: ({ id, property }) => (
      <Link className="strong transaction-property" to={saleHref(id)} preventScrollReset>
        {property.address}
      </Link>
    ),
  },
  {
    id: 'seller',
    header: 'Seller',
    sortable: true,
    cell: ({ seller }) => <span className="transaction-seller">{seller.name}</span>,
  },
  {
    id: 'price',
    header: 'Sale Price',
    right: true,
    sortable: true,
    cell: ({ salePriceCents, counted }) => (
      <Amount cents={salePriceCents} counted={counted?.priceCents}>
        {dollarsAndCents(salePriceCents)}
      </Amount>
    ),
  },
  {
    id: 'commission',
    header: 'Commission',
    right: true,
    sortable: true,
    cell: ({ commissionCents, counted }) => (
      <Amount cents={commissionCents} counted={counted?.commissionCents}>
        <b>{dollarsAndCents(commissionCents)}</b>
      </Amount>
    ),
  },
  {
    id: 'fees',
    header: 'Fees',
    right: true,
    sortable: true,
    cell: ({ feesCents, counted }) => (
      <Amount cents={feesCents} counted={counted?.feesCents}>
        {dollarsAndCents(feesCents)}
      </Amount>
    ),
  },
  {
    id: 'method',
    header: 'Payment Method',
    sortable: true,
    cell: ({ paidBy, testMode }) => (
      <span className="transaction-method">
        {paidByLabels[paidBy]}
        <TestModeMark testMode={testMode} />
      </span>
    ),
  },
  { id: 'status', header: 'Status', sortable: true, cell: (sale) => <SaleStatus sale={sale} /> },
];

/** An amount of a sale; with what the reports count of it in the days of the list beneath, where that is another one. */
const Amount = ({
  cents,
  counted = cents,
  children,
}: {
  cents: number;
  counted: number | undefined;
  children: ReactNode;
}) => (
  <>
    {children}
    {counted !== cents && (
      <small className="transaction-counted">{dollarsAndCents(counted)} in this period</small>
    )}
  </>
);

/** The status of the payout, with those of payment and escrow beneath. */
function SaleStatus({ sale: { state, frozen } }: { sale: Transaction }) {
  const { label, tone } = payoutStatusBadge(state);
  return (
    <div className="transaction-status">
      <Badge tone={tone}>{label}</Badge>
      <span className="sale-chips">
        <Chip tone={paymentTone[state.payment]}>Payment: {paymentLabel[state.payment]}</Chip>
        <Chip tone={escrowTone[state.escrow]}>Escrow: {escrowLabel[state.escrow]}</Chip>
        {frozen && <Chip tone="bad">Frozen</Chip>}
      </span>
    </div>
  );
}

const Chip = ({ tone, children }: { tone: string; children: ReactNode }) => (
  <span className={`sale-chip sale-chip-${tone}`}>{children}</span>
);
