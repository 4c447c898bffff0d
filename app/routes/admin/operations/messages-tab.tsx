import { Form, Link } from 'react-router';
import {
  type MessageStatus,
  messageOutcomes,
  messageStatuses,
  type ProviderMessage,
  type ProviderMessagePage,
} from '#features/payments/messages.ts';
import { type AdminListQuery, adminPaths } from '#routing/admin-paths.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { SearchField } from '#ui/search-field.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { OperationsQuery } from './query.ts';
import { RowActions } from './row-actions.tsx';

const tones: Record<MessageStatus, Tone> = {
  received: 'info',
  processed: 'ok',
  ignored: 'mute',
  dead: 'bad',
};

interface Props {
  list: ProviderMessagePage | null;
  query: OperationsQuery;
  here: AdminListQuery;
}

/** Messages of the payment providers and what became of them. */
export function MessagesTab({ list, query, here }: Props) {
  const retry = useRetry();
  const columns: Column<ProviderMessage>[] = [
    {
      id: 'type',
      header: 'Message',
      className: 'task-subject',
      cell: ({ id, type, provider, failure, status }) => (
        <>
          <span className="strong">{type}</span>
          <small>
            {id}, {provider}
            {failure && status !== 'processed' && `: ${failure}`}
          </small>
        </>
      ),
    },
    {
      id: 'sale',
      header: 'Sale',
      cell: ({ sale }) =>
        sale ? (
          <Link className="link" to={adminPaths.operations({ tab: 'messages', q: sale.id })}>
            {sale.address}
          </Link>
        ) : (
          '—'
        ),
    },
    {
      id: 'status',
      header: 'Outcome',
      cell: ({ status }) => <Badge tone={tones[status]}>{messageOutcomes[status]}</Badge>,
    },
    { id: 'attempts', header: 'Attempts', right: true, cell: ({ attempts }) => attempts },
    { id: 'received', header: 'Received', cell: ({ receivedAt }) => <TimeAgo of={receivedAt} /> },
    {
      id: 'actions',
      header: 'Actions',
      cell: ({ id, status }) =>
        status !== 'received' && (
          <RowActions
            retry="replay-message"
            retryLabel="Replay"
            id={String(id)}
            about={`message ${id}`}
            dropHref={
              status === 'dead'
                ? adminPaths.operations({ ...here, do: 'drop-message', id: String(id) })
                : null
            }
          />
        ),
    },
  ];
  return (
    <>
      <Filters query={query} />
      <Panel className="mt-0!" title="Provider messages">
        <Table
          label="Provider messages"
          columns={columns}
          rows={list?.messages ?? []}
          rowKey={({ id }) => String(id)}
          loading="Loading messages..."
          empty={
            query.q || query.status ? 'No message matches these filters.' : 'No message has arrived yet.'
          }
          error={list === null ? { title: 'The messages could not be loaded.', ...retry } : null}
        />
      </Panel>
      <CursorPagination
        older={list?.older ? adminPaths.operations({ ...here, before: list.older }) : null}
        newest={query.before === null ? null : adminPaths.operations({ ...here, before: undefined })}
      />
    </>
  );
}

function Filters({ query: { q, status } }: { query: OperationsQuery }) {
  return (
    <Form
      action={adminPaths.operations()}
      role="search"
      className="filter-line"
      preventScrollReset
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      <input type="hidden" name="tab" value="messages" />
      <SelectControl
        key={`status ${status}`}
        name="status"
        aria-label="Outcome"
        placeholder="Any outcome"
        options={messageStatuses.map((value) => ({ value, label: messageOutcomes[value] }))}
        defaultValue={status ?? ''}
      />
      <SearchField
        key={`q ${q}`}
        label="Search by sale or reference"
        name="q"
        defaultValue={q}
        placeholder="Sale or reference"
        maxLength={200}
      />
      <Button type="submit" variant="outline">
        Search
      </Button>
      {(q || status) && (
        <Link className="link" to={adminPaths.operations({ tab: 'messages' })} preventScrollReset>
          Clear
        </Link>
      )}
    </Form>
  );
}
