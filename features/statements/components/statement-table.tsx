import { Link } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import type { BalancedLine } from '../model.ts';
import './statement-table.css';

/** Lines per page. */
export const STATEMENT_PAGE_SIZE = 50;

const columns: readonly Column<BalancedLine>[] = [
  { id: 'date', header: 'Date', cell: ({ at }) => <LocalTime of={at} as="date" /> },
  { id: 'text', header: 'Description', lead: true, cell: (line) => <Description line={line} /> },
  { id: 'amount', header: 'Amount', right: true, cell: ({ cents }) => dollarsAndCents(cents) },
  {
    id: 'balance',
    header: 'Balance',
    right: true,
    cell: ({ balanceCents }) => dollarsAndCents(balanceCents),
  },
];

function Description({
  line: { text, address, saleId, reference, expectedAt, paidAt },
}: {
  line: BalancedLine;
}) {
  return (
    <span className="statement-line">
      <span className="strong">{text}</span>
      <small>
        <Link className="link" to={sellerPaths.sale(saleId)}>
          {address}
        </Link>
        {reference && <> · Reference {reference}</>}
        {paidAt && (
          <>
            {' '}
            · Paid <LocalTime of={paidAt} as="date" />
          </>
        )}
        {expectedAt && (
          <>
            {' '}
            · Expected <LocalTime of={expectedAt} as="date" />
          </>
        )}
      </small>
    </span>
  );
}

/** A month of a statement, in the order in which it happened. */
export function StatementTable({ rows }: { rows: readonly BalancedLine[] }) {
  return (
    <Table
      label="Statement"
      columns={columns}
      rows={rows}
      rowKey={(line) => `${line.saleId} ${line.at} ${line.kind} ${line.balanceCents} ${line.text}`}
      loading="Loading the statement..."
      error={null}
      empty="There were no sales and no payouts in this month."
    />
  );
}
