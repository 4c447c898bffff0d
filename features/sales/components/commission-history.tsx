import { Link } from 'react-router';
import { paths } from '#routing/paths.ts';
import { Pagination } from '#ui/pagination.tsx';
import { Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { SellerSales } from '../seller-sales.ts';
import { commissionColumns } from './commission-columns.tsx';
import { TestModeMark } from './test-mode-mark.tsx';

const columns = commissionColumns(({ property, testMode }) => (
  <>
    <Link className="link" to={paths.property(property.id)}>
      {property.address}
    </Link>
    <TestModeMark testMode={testMode} />
  </>
));

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
