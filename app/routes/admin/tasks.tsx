import { data } from 'react-router';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSlowTable, useTableSort } from '#app/table-query.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { recordHistory } from '#features/audit/reads.ts';
import { TASK_PAGE_SIZE, taskAssignees, taskDetails, taskList } from '#features/tasks/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/tasks';
import { handleTaskForm } from './tasks/task-actions.ts';
import { TaskDialogs } from './tasks/task-dialogs.tsx';
import { TaskFilters } from './tasks/task-filters.tsx';
import { TaskPanel } from './tasks/task-panel.tsx';
import { parseTaskQuery, toTaskQuery } from './tasks/task-query.ts';
import { TaskTable } from './tasks/task-table.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = parseTaskQuery(url.searchParams);
  const taskId = query.details;
  const [list, open, assignees, opened, history] = await Promise.all([
    readOrNull(ctx, () => taskList(ctx, query)),
    readOrNull(ctx, () => taskList(ctx, { state: 'open', page: 1 })),
    taskAssignees(ctx),
    taskId === null ? null : nullWhenGone(taskDetails(ctx, { taskId })),
    taskId === null
      ? null
      : readOrNull(ctx, () =>
          recordHistory(ctx, {
            entity: 'admin_task',
            entityId: taskId,
            before: url.searchParams.get('history'),
          }),
        ),
  ]);
  return data(
    { query, list, openTotal: open?.total ?? 0, assignees, opened, history },
    list ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handleTaskForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('resolution', 'text', 'hours'),
    toast: NOT_SAVED,
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: 'Tasks', hidden: true });

const empty = {
  open: 'Nothing needs attention.',
  waiting: 'No task is snoozed.',
  closed: 'No task has been closed yet.',
} as const;

/** What needs an administrator, with the opened task beside the list. */
export default function Tasks({ loaderData, actionData }: Route.ComponentProps) {
  const { query, list, openTotal, assignees, opened, history } = loaderData;
  const here = toTaskQuery(query);
  const path = adminPaths.tasks();
  const slow = useSlowTable(path);
  const filters = { ...here, q: undefined, sort: undefined, page: undefined };
  const order = useTableSort(query, (sorted) => adminPaths.tasks({ ...filters, ...sorted }));
  const revalidate = useRevalidate();
  useLiveEvents((message) => {
    if (message.type.startsWith('task.') || mayHaveMissed(message)) void revalidate();
  });
  const filtered = Boolean(query.q || query.kind || query.severity || query.assignee);
  const answer = useAnswer(actionData);
  return (
    <>
      <Breadcrumbs ancestors={[{ href: adminPaths.dashboard(), label: 'Dashboard' }]} current="Tasks" />
      <AreaHead title="Tasks" />
      <FlashToast toast={actionData?.toast} />
      <Tabs
        label="Tasks"
        current={query.state}
        tabs={[
          {
            id: 'open',
            label: 'Needs attention',
            href: adminPaths.tasks(),
            count: openTotal,
            countLabel: `${openTotal} tasks need attention`,
          },
          { id: 'waiting', label: 'Waiting', href: adminPaths.tasks({ state: 'waiting' }) },
          { id: 'closed', label: 'Done', href: adminPaths.tasks({ state: 'closed' }) },
        ]}
      >
        <TaskFilters query={query} assignees={assignees} />
        <div className="task-columns" data-open={query.details !== null || undefined}>
          <div className="min-w-0">
            <section className="panel mt-0!" aria-label="Tasks">
              <TaskTable
                tasks={slow ? undefined : (list?.tasks ?? null)}
                state={query.state}
                opened={query.details}
                href={(id) => adminPaths.tasks({ ...here, details: id })}
                empty={filtered ? 'No task matches these filters.' : empty[query.state]}
                {...order}
              />
            </section>
            <Pagination
              page={list?.page ?? query.page}
              pages={list?.pages ?? 1}
              href={(page) => adminPaths.tasks({ ...here, page })}
              rows={list?.total ?? 0}
              usualSize={TASK_PAGE_SIZE}
            />
          </div>
          {query.details !== null && (
            <TaskPanel details={opened} history={history} here={here} id={query.details} answer={answer} />
          )}
        </div>
      </Tabs>
      {opened && (
        <TaskDialogs
          dialog={query.dialog}
          task={opened.task}
          assignees={assignees}
          back={adminPaths.tasks({ ...here, details: opened.task.id })}
          answer={answer}
        />
      )}
    </>
  );
}
