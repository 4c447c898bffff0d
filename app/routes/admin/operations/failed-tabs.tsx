import { type AdminListQuery, adminPaths } from '#routing/admin-paths.ts';
import { Panel } from '#ui/panel.tsx';
import { Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { PagesOf } from './pages-of.tsx';
import { PostButton, RowActions } from './row-actions.tsx';

interface FailedJob {
  id: string;
  job: string;
  reason: string;
  /** ISO, UTC */
  at: string;
}

interface FailedMail {
  id: string;
  to: string;
  subject: string;
  attempts: number;
  reason: string;
  /** ISO, UTC */
  queuedAt: string;
  isErased: boolean;
}

interface Props<Row> {
  /** null when they could not be loaded */
  list: { rows: Row[]; page: number; more: boolean } | null;
  /** the list's URL parameters */
  here: AdminListQuery;
}

/** Jobs that failed for good. */
export function JobsTab({ list, here }: Props<FailedJob>) {
  const retry = useRetry();
  const job = here.q ?? '';
  return (
    <>
      <Panel
        title={job ? `Failed jobs: ${job}` : 'Failed jobs'}
        className="mt-0!"
        actions={
          list?.rows.length ? (
            <PostButton intent="retry-jobs" fields={{ job }} label="Retry all" />
          ) : undefined
        }
      >
        <Table
          label="Failed jobs"
          columns={[
            { id: 'job', header: 'Job', cell: ({ job }) => <span className="strong">{job}</span> },
            {
              id: 'reason',
              header: 'Reason',
              className: 'clip',
              cell: ({ reason }) => <span title={reason}>{reason}</span>,
            },
            { id: 'at', header: 'Failed', cell: ({ at }) => <TimeAgo of={at} /> },
            {
              id: 'actions',
              header: 'Actions',
              cell: ({ id, job }) => (
                <RowActions
                  retry="retry-job"
                  retryLabel="Retry"
                  id={id}
                  about={job}
                  dropHref={adminPaths.operations({ ...here, do: 'drop-job', id })}
                />
              ),
            },
          ]}
          rows={list?.rows ?? []}
          rowKey={({ id }) => id}
          loading="Loading jobs..."
          empty="No job has failed."
          error={list === null ? { title: 'The jobs could not be loaded.', ...retry } : null}
        />
      </Panel>
      <PagesOf
        page={list?.page ?? 1}
        more={list?.more ?? false}
        href={(to) => adminPaths.operations({ ...here, page: to })}
      />
    </>
  );
}

/** Emails that were given up, or came back. */
export function EmailsTab({ list, here }: Props<FailedMail>) {
  const retry = useRetry();
  return (
    <>
      <Panel
        title="Undelivered emails"
        className="mt-0!"
        actions={
          list?.rows.length ? <PostButton intent="retry-mails" fields={{}} label="Retry all" /> : undefined
        }
      >
        <Table
          label="Undelivered emails"
          columns={[
            {
              id: 'subject',
              header: 'Subject',
              cell: ({ subject }) => <span className="strong">{subject || 'Erased'}</span>,
            },
            { id: 'to', header: 'To', cell: ({ to }) => to },
            {
              id: 'reason',
              header: 'Reason',
              className: 'clip',
              cell: ({ reason }) => <span title={reason}>{reason}</span>,
            },
            { id: 'attempts', header: 'Attempts', right: true, cell: ({ attempts }) => attempts },
            { id: 'at', header: 'Queued', cell: ({ queuedAt }) => <TimeAgo of={queuedAt} /> },
            {
              id: 'actions',
              header: 'Actions',
              cell: ({ id, subject, isErased }) => (
                <RowActions
                  retry={isErased ? null : 'retry-mail'}
                  retryLabel="Retry"
                  id={id}
                  about={subject || 'the erased email'}
                  dropHref={adminPaths.operations({ ...here, do: 'drop-mail', id })}
                />
              ),
            },
          ]}
          rows={list?.rows ?? []}
          rowKey={({ id }) => id}
          loading="Loading emails..."
          empty="No email has failed."
          error={list === null ? { title: 'The emails could not be loaded.', ...retry } : null}
        />
      </Panel>
      <PagesOf
        page={list?.page ?? 1}
        more={list?.more ?? false}
        href={(to) => adminPaths.operations({ ...here, page: to })}
      />
    </>
  );
}
