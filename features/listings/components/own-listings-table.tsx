import { formatCount } from '#platform/format-count.ts';
import { wholeDollars } from '#platform/money.ts';
import './own-listings.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { useRowClick } from '#ui/row-click.ts';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { statusLabel, statusTone } from '../display.ts';
import type { OwnListingRow } from '../own-listings.ts';
import { ListingPictureView } from './listing-picture.tsx';
import { ownershipText } from './ownership-badge.tsx';

/** Empty state of the table. */
export const NO_PROPERTIES = 'No properties found. Add your first property to get started.';

const columns: readonly Column<OwnListingRow>[] = [
  {
    id: 'address',
    header: 'Address',
    sortable: true,
    cell: (listing) => (
      <Link className="cell" to={sellerPaths.editProperty(listing.id)}>
        <ListingPictureView
          listingId={listing.id}
          type={listing.type}
          picture={listing.picture && { ...listing.picture, alt: '' }}
          sizes="54px"
        />
        <span>
          <b>{listing.address}</b>
          <small>{listing.town}</small>
        </span>
      </Link>
    ),
  },
  {
    id: 'price',
    header: 'Price',
    right: true,
    sortable: true,
    className: 'money',
    cell: ({ priceCents }) => wholeDollars(priceCents),
  },
  {
    id: 'status',
    header: 'Status',
    sortable: true,
    cell: ({ id, address, status, note, ownership }) => (
      <>
        <Badge tone={statusTone(status)}>{statusLabel[status]}</Badge>
        {status !== 'Sold' && (
          <Link className="link own-ownership" to={sellerPaths.ownership(id)}>
            {ownershipText(ownership)}
            <span className="vh"> {address}</span>
          </Link>
        )}
        {note && (
          <small className="own-note" title={note}>
            {note}
          </small>
        )}
      </>
    ),
  },
  { id: 'days', header: 'Days Listed', right: true, sortable: true, cell: ({ days }) => formatCount(days) },
  { id: 'views', header: 'Views', right: true, sortable: true, cell: ({ views }) => formatCount(views) },
];

interface Props {
  label: string;
  /** undefined while loading, null when that failed */
  rows: readonly OwnListingRow[] | null | undefined;
  empty: ReactNode;
  sort?: Sort | null;
  onSort?: (next: Sort | null) => void;
  /** what happened to the listing in the last days, before the buttons */
  statistics?: (listing: OwnListingRow) => ReactNode;
  /** action buttons at the end of each row */
  actions?: (listing: OwnListingRow) => ReactNode;
}

/** A seller's own listings; clicking a row opens its form, and each row contains a real link to it. */
export function OwnListingsTable({ label, rows, empty, sort, onSort, statistics, actions }: Props) {
  const openRow = useRowClick();
  const retry = useRetry();
  const last: Column<OwnListingRow>[] = [
    ...(statistics ? [{ id: 'statistics', header: 'Last 30 Days', right: true, cell: statistics }] : []),
    ...(actions ? [{ id: 'actions', header: 'Actions', right: true, cell: actions }] : []),
  ];
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="own-listings" onClick={openRow}>
      <Table
        label={label}
        columns={[...columns, ...last]}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading properties..."
        empty={empty}
        error={rows === null ? { title: 'The properties could not be loaded.', ...retry } : null}
        sort={sort}
        onSort={onSort}
      />
    </div>
  );
}
