import { FileText } from 'lucide-react';
import { EmptyState } from '#ui/empty-state.tsx';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { RegistryDocument } from '../registry-model.ts';
import { documentMessages } from '../rules.ts';
import {
  type ContentLinks,
  FileLink,
  PlaceCell,
  StatusBadge,
  TransactionLink,
  ViewProperty,
} from './registry-cells.tsx';
import { RetryChain } from './retry-chain.tsx';

const columns = (links: ContentLinks): readonly Column<RegistryDocument>[] => [
  {
    id: 'name',
    header: 'Document',
    sortable: true,
    cell: ({ name }) => (
      <span className="registry-name">
        <Icon of={FileText} />
        <b>{name}</b>
      </span>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    sortable: true,
    cell: ({ type }) => <span className="registry-type">{type}</span>,
  },
  {
    id: 'date',
    header: 'Date',
    sortable: true,
    cell: ({ createdAt }) => <LocalTime of={createdAt} as="date" />,
  },
  {
    id: 'property',
    header: 'Property',
    cell: ({ property, type }) => <PlaceCell property={property} type={type} />,
  },
  {
    id: 'status',
    header: 'Status',
    sortable: true,
    cell: ({ status, reason }) => <StatusBadge status={status} reason={reason} />,
  },
  {
    id: 'links',
    header: 'Links',
    cell: ({ name, cid, network, transactionHash }) => (
      <span className="registry-links">
        <FileLink cid={cid} links={links} of={name} />
        <TransactionLink network={network} hash={transactionHash} of={name} />
      </span>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    right: true,
    cell: ({ id, name, property, retryable }) => (
      <div className="rowacts">
        {retryable && <RetryChain field="document" id={id} of={name} />}
        <ViewProperty property={property} of={name} />
      </div>
    ),
  },
];

interface Props {
  /** undefined while loading, null when that failed */
  rows: readonly RegistryDocument[] | null | undefined;
  /** where published files are, by content address */
  links: ContentLinks;
  /** a search or filter is on */
  narrowed: boolean;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
}

/** Documents of all properties. */
export function DocumentsTable({ rows, links, narrowed, sort, onSort }: Props) {
  const retry = useRetry();
  return (
    <div className="registry">
      <Table
        label="Documents"
        columns={columns(links)}
        rows={rows ?? undefined}
        rowKey={({ id }) => id}
        loading="Loading documents..."
        empty={
          narrowed ? (
            documentMessages.noDocuments
          ) : (
            <EmptyState
              bare
              title={documentMessages.noDocuments}
              text="What is uploaded for a property, or made at a closing, is listed here."
            />
          )
        }
        error={
          rows === null
            ? {
                title: documentMessages.failedDocuments,
                detail: `${documentMessages.noDocumentData}.`,
                ...retry,
              }
            : null
        }
        sort={sort}
        onSort={onSort}
        dense
      />
    </div>
  );
}
