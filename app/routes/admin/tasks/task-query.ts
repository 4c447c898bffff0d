import { parseTableQuery, toTableQuery } from '#app/table-query.ts';
import {
  type TaskKind,
  type TaskSeverity,
  type TaskState,
  taskSeverities,
  taskSorts,
  taskStates,
} from '#features/tasks/model.ts';
import { taskKinds } from '#features/tasks/rules.ts';
import { isUuid } from '#platform/uuid.ts';
import type { AdminListQuery } from '#routing/admin-paths.ts';

/** What can be done with a task in a dialog. */
const taskDialogs = ['assign', 'snooze', 'close'] as const;
export type TaskDialog = (typeof taskDialogs)[number];

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

/** The list of tasks as its URL says; what is unknown is ignored. */
export function parseTaskQuery(params: URLSearchParams) {
  const kind = params.get('kind') ?? '';
  const assignee = params.get('assignee') ?? '';
  return {
    ...parseTableQuery(params, taskSorts),
    state: oneOf<TaskState>(taskStates, params.get('state')) ?? 'open',
    kind: Object.hasOwn(taskKinds, kind) ? (kind as TaskKind) : null,
    severity: oneOf<TaskSeverity>(taskSeverities, params.get('severity')),
    assignee: assignee === 'nobody' || isUuid(assignee) ? assignee : null,
    details: params.get('details') || null,
    dialog: oneOf<TaskDialog>(taskDialogs, params.get('do')),
  };
}

export type TaskQuery = ReturnType<typeof parseTaskQuery>;

/** The list's URL parameters, without the open task. */
export const toTaskQuery = (query: TaskQuery): AdminListQuery => ({
  ...toTableQuery(query),
  state: query.state === 'open' ? undefined : query.state,
  kind: query.kind ?? undefined,
  severity: query.severity ?? undefined,
  assignee: query.assignee ?? undefined,
  page: query.page > 1 ? query.page : undefined,
});
