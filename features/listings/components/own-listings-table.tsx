import './own-listings.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#app/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { useOpenRow } from '#ui/open-row.ts';
import type { Sort } from '#ui/sort-head.tsx';
import { type Column, Table } from '#ui/table.tsx';
import type { OwnListing } from '../own-listings.ts';
import { groupedNumber, statusLabel, statusTone, wholeDollars } from '../rules.ts';
import { ListingPictureView } from './listing-picture.tsx';

/** What a seller without listings reads (S0 §2). */
export const NO_PROPERTIES = 'No properties found. Add your first property to get started.';

const columns: readonly Column<OwnListing>[] = [
  {
    id: 'address',
    head: 'Address',
    sortable: true,
    cell: (listing) => (
      <Link className="cell" to={paths.agentEditProperty(listing.id)}>
        <ListingPictureView
          listingId={listing.id}
          type={listing.type}
          address=""
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
    head: 'Price',
    right: true,
    sortable: true,
    className: 'money',
    cell: ({ priceCents }) => wholeDollars(priceCents),
  },
  {
    id: 'status',
    head: 'Status',
    sortable: true,
    cell: ({ status, note }) => (
      <>
        <Badge tone={statusTone(status)}>{statusLabel[status]}</Badge>
        {note && (
          <small className="own-note" title={note}>
            {note}
          </small>
        )}
      </>
    ),
  },
  { id: 'days', head: 'Days Listed', right: true, sortable: true, cell: ({ days }) => groupedNumber(days) },
  { id: 'views', head: 'Views', right: true, sortable: true, cell: ({ views }) => groupedNumber(views) },
];

interface Props {
  label: string;
  /** undefined while they are on their way */
  rows: readonly OwnListing[] | undefined;
  empty: ReactNode;
  sort?: Sort | null;
  onSort?: (next: Sort | null) => void;
  /** what can be done with a listing, at the end of its row */
  actions?: (listing: OwnListing) => ReactNode;
}

/** A seller's own listings (S0 §2): a row opens the form of its listing, with a real link in it (B-113). */
export function OwnListingsTable({ label, rows, empty, sort, onSort, actions }: Props) {
  const openRow = useOpenRow();
  const last: Column<OwnListing>[] = actions
    ? [{ id: 'actions', head: 'Actions', right: true, cell: actions }]
    : [];
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="own-listings" onClick={openRow}>
      <Table
        label={label}
        columns={[...columns, ...last]}
        rows={rows}
        rowKey={({ id }) => id}
        loading="Loading properties..."
        empty={empty}
        error={null}
        sort={sort}
        onSort={onSort}
      />
    </div>
  );
}
