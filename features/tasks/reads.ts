import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Task, TaskKind } from './model.ts';
import { mayManageTasks, taskKinds } from './rules.ts';

/** Tasks on one page of the list. */
const PAGE_SIZE = 50;

export interface TaskListInput {
  state: 'open' | 'closed';
  /** from 1 */
  page: number;
}

export interface TaskList {
  tasks: Task[];
  /** all of this state */
  total: number;
}

/**
 * The administrators' tasks by pages of 50: open ones by severity, then the oldest first; closed ones the latest first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function taskList(ctx: Ctx, { state, page }: TaskListInput): Promise<TaskList> {
  authorize(ctx, mayManageTasks);
  const tasks = ctx.db
    .q()
    .selectFrom('admin_tasks as t')
    .where('t.closed_at', state === 'open' ? 'is' : 'is not', null);
  const sorted =
    state === 'open'
      ? tasks
          .orderBy(sql`array_position(array['critical', 'high', 'low'], t.severity)`)
          .orderBy('t.created_at')
          .orderBy('t.id')
      : tasks.orderBy('t.closed_at', 'desc').orderBy('t.id');
  const [rows, { total }] = await Promise.all([
    sorted
      .leftJoin('users as assignee', 'assignee.id', 't.assignee_id')
      .leftJoin('users as closer', 'closer.id', 't.closed_by')
      .selectAll('t')
      .select(['assignee.name as assignee_name', 'closer.name as closer_name'])
      .limit(PAGE_SIZE)
      .offset((Math.max(1, Math.trunc(page)) - 1) * PAGE_SIZE)
      .execute(),
    tasks.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { tasks: rows.map(taskFrom), total };
}

interface TaskRow {
  id: string;
  kind: TaskKind;
  subject_type: Task['subjectType'];
  subject_id: string;
  severity: Task['severity'];
  detail: string;
  due_at: Date | null;
  assignee_id: string | null;
  assignee_name: string | null;
  created_at: Date;
  closed_at: Date | null;
  closer_name: string | null;
  resolution: string | null;
}

function taskFrom(row: TaskRow): Task {
  const { id, kind, severity, detail, resolution } = row;
  return {
    id,
    kind,
    title: taskKinds[kind].title,
    severity,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    detail,
    dueAt: row.due_at?.toISOString() ?? null,
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    createdAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    closedBy: row.closer_name,
    resolution,
  };
}
