import { type RawBuilder, sql } from 'kysely';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { COUNT_LIMIT, lastPageOf } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { Task, TaskKind, TaskNote, TaskSeverity, TaskSort, TaskState } from './model.ts';
import { mayManageTasks, taskKinds } from './rules.ts';
import { subjectJoins, subjectUuid, type TaskRow, taskColumns, taskFrom } from './task-rows.ts';

/** Tasks on one page of the list. */
export const TASK_PAGE_SIZE = 50;

export interface TaskListInput {
  state: TaskState;
  /** from 1; past the end means the last page that can be opened */
  page: number;
  /** rows on a page; 50 by default */
  size?: number | null;
  /** part of an address, a seller's name, a job, or of the explanation */
  q?: string;
  kind?: TaskKind | null;
  severity?: TaskSeverity | null;
  /** an administrator's id, or 'nobody'; null for whoever has it */
  assignee?: string | null;
  sort?: { by: TaskSort; descending: boolean } | null;
}

interface TaskList {
  tasks: Task[];
  page: number;
  pages: number;
  /** all that match, exact up to 10,000 */
  total: number;
  /** there are more than that */
  more: boolean;
}

/**
 * The administrators' tasks by pages. Without a sort, open ones come by severity, then the oldest first; snoozed ones as they
 * come back; closed ones, of which only the latest 10,000 are listed, the latest first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function taskList(ctx: Ctx, input: TaskListInput): Promise<TaskList> {
  authorize(ctx, mayManageTasks);
  const from = sql`from (${candidates(input.state, ctx.now())}) t ${
    input.sort?.by === 'assignee' ? sql`left join users o on o.id = t.assignee_id` : sql``
  } where ${conditions(input)}`;
  const order = orderOf(input);
  const size = input.size ?? TASK_PAGE_SIZE;
  const total = await boundedCount(ctx, from);
  const pages = lastPageOf(total, size);
  const page = Math.min(Math.max(1, Math.trunc(input.page)), pages);
  const { rows } =
    await sql<TaskRow>`with page as materialized (select t.*, row_number() over (order by ${order}) as place ${from}
        order by place limit ${size} offset ${(page - 1) * size})
      select ${taskColumns} from page t ${subjectJoins} order by t.place`.execute(ctx.db.q());
  return { tasks: rows.map(taskFrom), page, pages, total: total.count, more: total.more };
}

const candidates = (state: TaskState, now: Date): RawBuilder<unknown> =>
  ({
    open: sql`select * from admin_tasks where closed_at is null and (snoozed_until is null or snoozed_until <= ${now})`,
    waiting: sql`select * from admin_tasks where closed_at is null and snoozed_until > ${now}`,
    closed: sql`select * from admin_tasks where closed_at is not null order by closed_at desc, id limit ${COUNT_LIMIT + 1}`,
  })[state];

function conditions({ q = '', kind, severity, assignee }: TaskListInput): RawBuilder<unknown> {
  const all = [sql`true`];
  if (kind) all.push(sql`t.kind = ${kind}`);
  if (severity) all.push(sql`t.severity = ${severity}`);
  if (assignee === 'nobody') all.push(sql`t.assignee_id is null`);
  else if (assignee) all.push(isUuid(assignee) ? sql`t.assignee_id = ${assignee}` : sql`false`);
  const text = q.trim().toLowerCase();
  if (text) all.push(matching(text));
  return sql.join(all, sql` and `);
}

const matching = (text: string) => {
  const has = (value: RawBuilder<unknown>) => sql`strpos(lower(${value}), ${text}) > 0`;
  return sql`(${has(sql`t.detail`)} or ${has(sql`t.subject_id`)}
    or exists (select from property_sales s join properties p on p.id = s.property_id
      where s.id = ${subjectUuid('sale')} and ${has(sql`p.address`)})
    or exists (select from property_inquiries i join properties p on p.id = i.property_id
      where i.id = ${subjectUuid('inquiry')} and ${has(sql`p.address`)})
    or exists (select from properties p where p.id = ${subjectUuid('property')} and ${has(sql`p.address`)})
    or exists (select from agents a where a.id = ${subjectUuid('agent')} and ${has(sql`a.name`)}))`;
};

const kindsByLabel = Object.entries(taskKinds)
  .sort(([, one], [, other]) => one.label.localeCompare(other.label))
  .map(([kind]) => kind);
const severity = sql`array_position(array['critical', 'high', 'low'], t.severity)`;

function orderOf({ state, sort }: TaskListInput): RawBuilder<unknown> {
  if (!sort)
    return {
      open: sql`${severity}, t.created_at, t.id`,
      waiting: sql`t.snoozed_until, t.id`,
      closed: sql`t.closed_at desc, t.id`,
    }[state];
  const direction = (rising: boolean) => (rising ? sql`asc` : sql`desc`);
  const rising = direction(!sort.descending);
  const by = {
    // The older, the earlier it was opened.
    age: sql`t.created_at ${direction(sort.descending)}`,
    severity: sql`${severity} ${direction(sort.descending)}, t.created_at`,
    kind: sql`array_position(${kindsByLabel}::text[], t.kind) ${rising}, t.created_at`,
    assignee: sql`lower(o.name) ${rising} nulls last, t.created_at`,
    due: sql`t.due_at ${rising} nulls last, t.created_at`,
  }[sort.by];
  return sql`${by}, t.id`;
}

export interface TaskDetails {
  task: Task;
  /** oldest first, the latest 100 */
  notes: TaskNote[];
}

/**
 * One task with its notes.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function taskDetails(ctx: Ctx, { taskId }: { taskId: string }): Promise<TaskDetails> {
  const user = authorizedUser(ctx, mayManageTasks);
  if (!isUuid(taskId)) throw new NotFound('Task not found');
  const [{ rows }, notes] = await Promise.all([
    sql<TaskRow>`select ${taskColumns} from admin_tasks t ${subjectJoins} where t.id = ${taskId}`.execute(
      ctx.db.q(),
    ),
    ctx.db
      .q()
      .selectFrom('admin_task_notes as n')
      .leftJoin('users as u', 'u.id', 'n.author_id')
      .select(['n.id', 'n.text', 'n.created_at', 'n.author_id', 'u.name'])
      .where('n.task_id', '=', taskId)
      .orderBy('n.id', 'desc')
      .limit(100)
      .execute(),
  ]);
  const [row] = rows;
  if (!row) throw new NotFound('Task not found');
  return {
    task: taskFrom(row),
    notes: notes.toReversed().map(({ id, text, created_at, author_id, name }) => ({
      id,
      text,
      author: name ?? 'A deleted account',
      isOwn: author_id === user.id,
      at: created_at.toISOString(),
    })),
  };
}

/**
 * Who can have a task, by name; at most 500.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function taskAssignees(ctx: Ctx): Promise<{ id: string; name: string; isSelf: boolean }[]> {
  const user = authorizedUser(ctx, mayManageTasks);
  const rows = await ctx.db
    .q()
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.id')
    .select(['users.id', 'users.name'])
    .where('profiles.role', '=', 'admin')
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(500)
    .execute();
  return rows.map(({ id, name }) => ({ id, name, isSelf: id === user.id }));
}
