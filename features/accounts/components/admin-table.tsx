import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { adminMessages } from '../admin-messages.ts';

interface Row {
  id: string;
  email: string;
  createdAt: Date;
  hasFactor: boolean;
  self: boolean;
}

const columns: readonly Column<Row>[] = [
  { id: 'email', header: 'Email', lead: true, cell: ({ email, self }) => (self ? `${email} (you)` : email) },
  { id: 'role', header: 'Role', cell: () => 'Admin' },
  {
    id: 'created',
    header: 'Created At',
    cell: ({ createdAt }) => <LocalTime of={createdAt.toISOString()} as="day" />,
  },
  {
    id: 'factor',
    header: 'Two-step sign-in',
    cell: ({ hasFactor }) =>
      hasFactor ? <Badge tone="ok">On</Badge> : <Badge tone="warn">Not set up</Badge>,
  },
  {
    id: 'actions',
    header: 'Actions',
    right: true,
    cell: ({ id, email }) => (
      <ButtonLink
        to={adminPaths.admins({ do: 'remove', id })}
        variant="outline"
        size="sm"
        preventScrollReset
        aria-label={`Remove ${email}`}
      >
        Remove
      </ButtonLink>
    ),
  },
];

interface AdminTableProps {
  /** null when they could not be loaded */
  admins: readonly Row[] | null;
  /** why they could not be loaded */
  failure: string | null;
}

/** All administrators, each with what removes them. */
export function AdminTable({ admins, failure }: AdminTableProps) {
  const retry = useRetry();
  return (
    <Table
      label="Administrators"
      columns={columns}
      rows={admins ?? []}
      rowKey={({ id }) => id}
      loading="Loading administrators..."
      empty={
        <EmptyState
          bare
          title="No Administrators Found"
          text="Click Add Admin to create an administrator account."
        />
      }
      error={admins ? null : { title: adminMessages.loadFailed, detail: failure ?? '', ...retryOf(retry) }}
    />
  );
}

const retryOf = ({ onRetry, busy }: ReturnType<typeof useRetry>) => ({ onRetry, busy });
