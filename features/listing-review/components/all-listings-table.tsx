import { formatCount } from '#platform/format-count.ts';
import './all-listings.css';
import { FileText } from 'lucide-react';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { statusLabel, statusTone } from '#features/listings/display.ts';
import { wholeDollars } from '#platform/money.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { useRowClick } from '#ui/row-click.ts';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { AnyListing } from '../all-listings.ts';
import { FeaturedToggle } from './featured-toggle.tsx';

const NO_PROPERTIES_FOUND = 'No properties found';
const PROPERTIES_FAILED = 'Failed to fetch properties';

const columns = (detailsHref: (id: string) => string): readonly Column<AnyListing>[] => [
  {
    id: 'address',
    header: 'Address',
    sortable: true,
    cell: (listing) => (
      <Link className="cell" to={detailsHref(listing.id)} preventScrollReset>
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
  { id: 'seller', header: 'Agent/Seller', sortable: true, cell: ({ seller }) => seller.name },
  {
    id: 'status',
    header: 'Status',
    sortable: true,
    cell: ({ status }) => <Badge tone={statusTone(status)}>{statusLabel[status]}</Badge>,
  },
  {
    id: 'daysOnMarket',
    header: 'Days Listed',
    right: true,
    sortable: true,
    cell: ({ days }) => formatCount(days),
  },
  { id: 'views', header: 'Views', right: true, sortable: true, cell: ({ views }) => formatCount(views) },
  { id: 'featured', header: 'Featured', cell: (listing) => <FeaturedToggle listing={listing} /> },
  {
    id: 'actions',
    header: 'Actions',
    right: true,
    cell: ({ id, address }) => (
      <div className="rowacts">
        <ButtonLink variant="ghost" size="sm" to={detailsHref(id)} preventScrollReset>
          Details<span className="vh"> of {address}</span>
        </ButtonLink>
        <ButtonLink variant="ghost" size="sm" to={adminPaths.editProperty(id)}>
          Edit<span className="vh"> {address}</span>
        </ButtonLink>
        <Link className="iconbtn iconbtn-sm" to={adminPaths.propertyDocuments(id)} title="Documents">
          <Icon of={FileText} />
          <span className="vh">Documents of {address}</span>
        </Link>
      </div>
    ),
  },
];

interface Props {
  /** undefined while loading, null when that failed */
  rows: readonly AnyListing[] | null | undefined;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
  /** the URL of the page with a listing's details open */
  detailsHref: (id: string) => string;
}

/** Listings of all sellers; clicking a row opens its details, and each row contains a real link to them. */
export function AllListingsTable({ rows, sort, onSort, detailsHref }: Props) {
  const openRow = useRowClick();
  const retry = useRetry();
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="all-listings" onClick={openRow}>
      <Table
        label="All Properties"
        columns={columns(detailsHref)}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading properties..."
        empty={NO_PROPERTIES_FOUND}
        error={rows === null ? { title: PROPERTIES_FAILED, ...retry } : null}
        sort={sort}
        onSort={onSort}
        dense
      />
    </div>
  );
}
