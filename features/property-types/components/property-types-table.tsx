import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { PropertyTypeRow } from '../model.ts';

const columns: readonly Column<PropertyTypeRow>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <b>{name}</b> },
  {
    id: 'status',
    header: 'Status',
    cell: ({ isActive }) => <Badge tone={isActive ? 'ok' : 'mute'}>{isActive ? 'Active' : 'Inactive'}</Badge>,
  },
  { id: 'created', header: 'Created', cell: ({ createdAt }) => <LocalTime of={createdAt} as="date" /> },
  { id: 'updated', header: 'Last Updated', cell: ({ updatedAt }) => <LocalTime of={updatedAt} as="date" /> },
  {
    id: 'actions',
    header: 'Actions',
    right: true,
    cell: ({ id, name }) => (
      <div className="rowacts">
        <ButtonLink
          variant="ghost"
          size="sm"
          to={adminPaths.propertyTypes({ do: 'edit', id })}
          preventScrollReset
        >
          Edit<span className="vh"> {name}</span>
        </ButtonLink>
      </div>
    ),
  },
];

/** All property types with a link to edit each. */
export function PropertyTypesTable({ types }: { types: readonly PropertyTypeRow[] | null }) {
  const retry = useRetry();
  return (
    <Table
      label="Property Types"
      columns={columns}
      rows={types ?? undefined}
      rowKey={({ id }) => String(id)}
      loading="Loading property types..."
      empty="No property types found."
      error={types === null ? { title: 'The property types could not be loaded.', ...retry } : null}
    />
  );
}
