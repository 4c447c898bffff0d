import { Link } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { payoutStatusBadge } from '../rules.ts';
import type { SellerSale, SellerSales } from '../seller-sales.ts';
import { TestModeMark } from './test-mode-mark.tsx';

const columns: readonly Column<SellerSale>[] = [
  { id: 'date', header: 'Date', cell: ({ date }) => <LocalTime of={date} as="date" /> },
  {
    id: 'property',
    header: 'Property',
    lead: true,
    cell: ({ property, testMode }) => (
      <>
        <Link className="link" to={paths.property(property.id)}>
          {property.address}
        </Link>
        <TestModeMark testMode={testMode} />
      </>
    ),
  },
  {
    id: 'amount',
    header: 'Sale Amount',
    right: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  {
    id: 'commission',
    header: 'Commission',
    right: true,
    cell: ({ commissionCents }) => dollarsAndCents(commissionCents),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ state }) => {
      const { tone, label } = payoutStatusBadge(state);
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
];

interface Props {
  /** null when it could not be loaded */
  sales: SellerSales | null;
  /** why, for the reader */
  failure: { title: string; detail: string };
  /** URL of one of its pages */
  href: (page: number) => string;
}

/** The sales of a seller with the commission of each, as administrators see them. */
export function CommissionHistory({ sales, failure, href }: Props) {
  const retry = useRetry();
  return (
    <>
      <Table
        label="Commission History"
        dense
        columns={columns}
        rows={sales?.rows}
        rowKey={({ id }) => id}
        loading="Loading transactions..."
        empty="No transactions found"
        error={sales ? null : { ...failure, ...retry }}
      />
      <Pagination
        page={sales?.page ?? 1}
        pages={sales?.pages ?? 1}
        href={href}
        label="Pages of the commission history"
        keepsScroll
      />
    </>
  );
}
