import { Link } from 'react-router';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { statusLabels, statusTones, summaryText } from '../display.ts';
import type { ImportEntry, ImportPage } from '../model.ts';

interface Props {
  /** null when it could not be read */
  history: ImportPage | null;
  /** shows whose listings they are */
  withSeller: boolean;
  hrefOf: (id: string) => string;
  pageHref: (page: number) => string;
}

/** The files that were imported, newest first. */
export function ImportHistory({ history, withSeller, hrefOf, pageHref }: Props) {
  const retry = useRetry();
  return (
    <>
      <Panel title="History">
        <Table
          label="Imports"
          columns={columnsOf(withSeller, hrefOf)}
          rows={history?.entries ?? []}
          rowKey={({ id }) => id}
          loading="Loading imports..."
          empty="No file was imported yet."
          error={history ? null : { title: 'The imports could not be loaded.', ...retry }}
        />
      </Panel>
      {history && <Pagination page={history.page} pages={history.pages} href={pageHref} />}
    </>
  );
}

const columnsOf = (withSeller: boolean, hrefOf: Props['hrefOf']): Column<ImportEntry>[] => [
  {
    id: 'file',
    header: 'File',
    lead: true,
    cell: ({ id, fileName }) => (
      <Link className="link import-name" to={hrefOf(id)}>
        {fileName}
      </Link>
    ),
  },
  ...(withSeller
    ? [
        {
          id: 'seller',
          header: 'Seller',
          cell: ({ seller, madeBy }: ImportEntry) => (
            <>
              {seller ?? '—'}
              {madeBy && <small className="block text-xs text-ink-muted">by {madeBy}</small>}
            </>
          ),
        },
      ]
    : []),
  { id: 'when', header: 'Uploaded', cell: ({ createdAt }) => <LocalTime of={createdAt} /> },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>,
  },
  { id: 'rows', header: 'Rows', className: 'import-summary', cell: summaryText },
];
