import './oversight.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { useRowClick } from '#ui/row-click.ts';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { responseText, stateBadges } from '../display.ts';
import type { OverseenInquiry } from '../oversight-model.ts';

interface Props {
  /** undefined while loading, null when that failed */
  rows: readonly OverseenInquiry[] | null | undefined;
  empty: ReactNode;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
  /** the URL that opens the messages of an inquiry */
  messagesHref: (inquiryId: string) => string;
}

/** Every inquiry with where its conversation stands; a row opens its messages. */
export function InquiryTable({ rows, empty, sort, onSort, messagesHref }: Props) {
  const openRow = useRowClick();
  const retry = useRetry();
  const columns: readonly Column<OverseenInquiry>[] = [
    {
      id: 'property',
      header: 'Property',
      sortable: true,
      cell: ({ id, property }) => (
        <Link className="cell" to={messagesHref(id)} preventScrollReset>
          <ListingPictureView
            listingId={property.id}
            type={property.type}
            picture={property.picture && { ...property.picture, alt: '' }}
            sizes="54px"
          />
          <span>
            <b>{property.address}</b>
            <small>{property.town}</small>
          </span>
        </Link>
      ),
    },
    { id: 'seller', header: 'Seller', sortable: true, cell: ({ seller }) => seller },
    {
      id: 'message',
      header: 'Initial Message',
      className: 'clip',
      cell: ({ message, buyer }) => (
        <>
          <span className="one-line" title={message}>
            {message}
          </span>
          <small className="one-line subtle">{buyer}</small>
        </>
      ),
    },
    {
      id: 'response',
      header: 'Response Time',
      sortable: true,
      cell: ({ responseSeconds }) => (
        <span className={typeof responseSeconds === 'number' ? undefined : 'subtle'}>
          {responseText(responseSeconds)}
        </span>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      sortable: true,
      cell: ({ state }) => <Badge tone={stateBadges[state].tone}>{stateBadges[state].label}</Badge>,
    },
    {
      id: 'date',
      header: 'Date',
      right: true,
      sortable: true,
      cell: ({ at }) => <LocalTime of={at} as="date" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      right: true,
      cell: ({ id, property }) => (
        <Link
          className="btn btn-outline btn-sm"
          to={messagesHref(id)}
          aria-label={`View Messages: ${property.address}`}
          preventScrollReset
        >
          View Messages
        </Link>
      ),
    },
  ];
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="oversight" onClick={openRow}>
      <Table
        label="Property Inquiries"
        columns={columns}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading inquiries…"
        empty={empty}
        error={rows === null ? { title: 'The inquiries could not be loaded.', ...retry } : null}
        sort={sort}
        onSort={onSort}
      />
    </div>
  );
}
