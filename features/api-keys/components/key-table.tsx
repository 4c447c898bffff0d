import { useNavigate } from 'react-router';
import { formatCount } from '#platform/format-count.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { useRetry } from '#ui/use-retry.ts';
import { type ApiKeyRow, scopeLabels } from '../model.ts';

type PathTo = (query?: { do?: string; id?: string }) => string;

const columnsFor = (pathTo: PathTo, withOwner: boolean): Column<ApiKeyRow>[] => [
  {
    id: 'name',
    header: 'Name',
    lead: true,
    cell: ({ name, prefix }) => (
      <>
        {name}
        <br />
        <code className="text-sm">{prefix}…</code>
      </>
    ),
  },
  ...(withOwner
    ? [
        {
          id: 'owner',
          header: 'Owner',
          cell: ({ ownerName, ofSeller }: ApiKeyRow) =>
            `${ownerName} (${ofSeller ? 'own listings' : 'whole market'})`,
        },
      ]
    : []),
  {
    id: 'scopes',
    header: 'May Read',
    cell: ({ scopes }) => scopes.map((scope) => scopeLabels[scope]).join(', '),
  },
  { id: 'limit', header: 'A Minute', right: true, cell: ({ perMinute }) => perMinute },
  {
    id: 'requests',
    header: 'Last 7 Days',
    right: true,
    cell: ({ requests }) => formatCount(requests),
  },
  {
    id: 'used',
    header: 'Last Used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <LocalTime of={lastUsedAt} as="day" /> : 'Never'),
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ revokedAt }) =>
      revokedAt ? <Badge tone="mute">Revoked</Badge> : <Badge tone="ok">Active</Badge>,
  },
  {
    id: 'actions',
    header: 'Actions',
    right: true,
    cell: ({ id, name, revokedAt }) =>
      revokedAt ? null : (
        <ButtonLink
          to={pathTo({ do: 'revoke', id })}
          variant="outline"
          size="sm"
          preventScrollReset
          aria-label={`Revoke ${name}`}
        >
          Revoke
        </ButtonLink>
      ),
  },
];

interface KeyTableProps {
  /** null when they could not be loaded */
  keys: readonly ApiKeyRow[] | null;
  pathTo: PathTo;
  withOwner?: boolean;
}

/** API keys, each with what revokes it. */
export function KeyTable({ keys, pathTo, withOwner = false }: KeyTableProps) {
  const { onRetry, busy } = useRetry();
  return (
    <Table
      label="API keys"
      columns={columnsFor(pathTo, withOwner)}
      rows={keys ?? []}
      rowKey={({ id }) => id}
      loading="Loading API keys..."
      empty={
        <EmptyState bare title="No API Keys Found" text="Create one to let another system read listings." />
      }
      error={keys ? null : { title: 'The API keys could not be loaded.', onRetry, busy }}
    />
  );
}

/** Asks whether a key is to stop working. */
export function RevokeKeyDialog({ revokes, pathTo }: { revokes: ApiKeyRow | null; pathTo: PathTo }) {
  const navigate = useNavigate();
  const pending = usePendingForm('revoke') !== null;
  return (
    <ActionDialog
      open={revokes !== null}
      onClose={() => void navigate(pathTo(), { preventScrollReset: true })}
      title={`Revoke ${revokes?.name ?? 'API key'}?`}
      text="Systems that use this API key are refused right away. This cannot be undone."
      confirmLabel="Revoke API key"
      danger
      intent="revoke"
      fields={{ id: revokes?.id ?? '' }}
      pending={pending}
      error={null}
    />
  );
}
