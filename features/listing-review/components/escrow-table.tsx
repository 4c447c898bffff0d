import { Link } from 'react-router';
import { TestModeMark } from '#features/sales/components/test-mode-mark.tsx';
import { paidByLabels } from '#features/sales/rules.ts';
import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { useRowClick } from '#ui/row-click.ts';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { EscrowListing } from '../escrow.ts';
import { escrowStages } from '../escrow-stages.ts';

interface Links {
  detailsHref: (propertyId: string) => string;
  saleHref: (saleId: string) => string;
}

const columns = ({ detailsHref, saleHref }: Links): readonly Column<EscrowListing>[] => [
  {
    id: 'address',
    header: 'Address',
    cell: ({ propertyId, address, town }) => (
      <Link className="cell" to={detailsHref(propertyId)} preventScrollReset>
        <span>
          <b>{address}</b>
          <small>{town}</small>
        </span>
      </Link>
    ),
  },
  { id: 'seller', header: 'Seller', cell: ({ sellerName }) => sellerName },
  { id: 'buyer', header: 'Buyer', cell: ({ buyerName }) => buyerName },
  {
    id: 'amount',
    header: 'Amount',
    right: true,
    className: 'money',
    cell: ({ totalCents, method, testMode }) => (
      <>
        {dollarsAndCents(totalCents)}
        <small className="method">{paidByLabels[method]}</small>
        <TestModeMark testMode={testMode} />
      </>
    ),
  },
  {
    id: 'stage',
    header: 'Stage',
    cell: ({ stage }) => <Badge tone={escrowStages[stage].tone}>{escrowStages[stage].label}</Badge>,
  },
  { id: 'days', header: 'Days', right: true, cell: ({ days }) => formatCount(days) },
  {
    id: 'deadline',
    header: 'Deadline',
    right: true,
    cell: ({ deadline }) => (deadline ? <LocalTime of={deadline} as="date" /> : '–'),
  },
  {
    id: 'actions',
    header: 'Actions',
    right: true,
    cell: ({ saleId, address }) => (
      <ButtonLink variant="ghost" size="sm" to={saleHref(saleId)}>
        View<span className="vh"> {address}</span>
      </ButtonLink>
    ),
  },
];

interface Props extends Links {
  /** null when they could not be read */
  rows: readonly EscrowListing[] | null;
}

/** The properties whose buyers' money is held; clicking a row opens its details, 'View' its sale. */
export function EscrowTable({ rows, ...links }: Props) {
  const openRow = useRowClick();
  const retry = useRetry();
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="all-listings" onClick={openRow}>
      <Table
        label="In Escrow"
        columns={columns(links)}
        rows={rows ?? undefined}
        rowKey={({ saleId }) => saleId}
        loading="Loading properties..."
        empty="No property is in escrow."
        error={rows === null ? { title: 'Failed to fetch properties', ...retry } : null}
        dense
      />
    </div>
  );
}
