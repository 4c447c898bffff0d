import { Link } from 'react-router';
import type { Task, TaskState } from '#features/tasks/model.ts';
import { taskKinds } from '#features/tasks/rules.ts';
import { initials } from '#ui/avatar.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { Severity } from './severity.tsx';

interface Props {
  /** `undefined` while loading, null when they could not be loaded */
  tasks: readonly Task[] | null | undefined;
  state: TaskState;
  opened: string | null;
  href: (id: string) => string;
  empty: string;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
}

/** The tasks of one tab; each row opens the task beside the list. */
export function TaskTable({ tasks, state, opened, href, empty, sort, onSort }: Props) {
  const retry = useRetry();
  const columns: Column<Task>[] = [
    {
      id: 'subject',
      header: 'Subject',
      lead: true,
      className: 'task-subject',
      cell: ({ id, subject, detail }) => (
        <>
          <Link to={href(id)} preventScrollReset aria-current={id === opened || undefined}>
            {subject}
          </Link>
          {detail && <small title={detail}>{detail}</small>}
        </>
      ),
    },
    { id: 'kind', header: 'Kind', sortable: true, cell: ({ kind }) => taskKinds[kind].label },
    { id: 'age', header: 'Age', sortable: true, cell: ({ createdAt }) => <TimeAgo of={createdAt} /> },
    // Beside the opened task, which says it, there is no room.
    ...(opened === null ? [timeColumn(state)] : []),
    {
      id: 'severity',
      header: 'Severity',
      sortable: true,
      cell: ({ severity }) => <Severity of={severity} />,
    },
    {
      id: 'assignee',
      header: 'Assignee',
      sortable: true,
      cell: ({ assignee }) => <Assignee of={assignee} />,
    },
  ];
  return (
    <Table
      label="Tasks"
      columns={columns}
      rows={tasks === null ? [] : tasks}
      rowKey={({ id }) => id}
      loading="Loading tasks..."
      empty={empty}
      error={tasks === null ? { title: 'The tasks could not be loaded.', ...retry } : null}
      sort={sort}
      onSort={onSort}
      selected={({ id }) => id === opened}
    />
  );
}

const timeColumn = (state: TaskState): Column<Task> =>
  ({
    open: {
      id: 'due',
      header: 'Due',
      sortable: true,
      cell: ({ dueAt }: Task) => (dueAt ? <LocalTime of={dueAt} /> : '—'),
    },
    waiting: {
      id: 'until',
      header: 'Back on',
      cell: ({ snoozedUntil }: Task) => snoozedUntil && <LocalTime of={snoozedUntil} />,
    },
    closed: {
      id: 'closed',
      header: 'Closed',
      cell: ({ closedAt }: Task) => closedAt && <LocalTime of={closedAt} />,
    },
  })[state];

function Assignee({ of }: { of: Task['assignee'] }) {
  if (!of) return <span className="text-ink-muted">No one</span>;
  return (
    <span className="inline-flex items-center" title={of.name}>
      <span className="avatar avatar-mini" aria-hidden="true">
        {initials(of.name)}
      </span>
      <span className="vh">{of.name}</span>
    </span>
  );
}
