import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { tryLock } from '#platform/db/locks.ts';
import { type Cause, causes } from '../causes.ts';
import { mayOpenTasks, TASK_TEXT_MAX_LENGTH } from '../rules.ts';
import { closeTasks } from './close-tasks.ts';
import { openTask } from './open-task.ts';

/** Tasks of one kind that are opened, or closed, in one run. */
const BATCH = 500;

/**
 * Opens a task for everything that needs an administrator and has none, and closes those whose cause is gone. Where another process
 * is at it, it does nothing.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function followCauses(ctx: Ctx): Promise<void> {
  authorize(ctx, mayOpenTasks);
  for (const cause of causes) await ctx.db.tx(() => follow(ctx, cause));
}

async function follow(ctx: Ctx, { kind, subjects, resolution }: Cause): Promise<void> {
  if (!(await tryLock(ctx, `tasks.follow:${kind}`))) return;
  const q = ctx.db.q();
  const { rows: gone } = await sql<{ subject_id: string }>`
    select t.subject_id from admin_tasks t where t.kind = ${kind} and t.closed_at is null
      and not exists (select from (${subjects(ctx.now())}) found where found.subject_id = t.subject_id)
    order by t.created_at limit ${BATCH}`.execute(q);
  for (const { subject_id } of gone)
    await closeTasks(ctx, { kinds: [kind], subjectId: subject_id, resolution });
  const { rows: fresh } = await sql<{ subject_id: string; detail: string; due_at: Date | null }>`
    select found.subject_id, found.detail, found.due_at from (${subjects(ctx.now())}) found
      left join admin_tasks t on t.kind = ${kind} and t.subject_id = found.subject_id and t.closed_at is null
    where t.id is null or t.detail is distinct from left(found.detail, ${TASK_TEXT_MAX_LENGTH})
      or t.due_at is distinct from found.due_at
    order by found.subject_id limit ${BATCH}`.execute(q);
  for (const { subject_id, detail, due_at } of fresh)
    await openTask(ctx, { kind, subjectId: subject_id, detail, dueAt: due_at });
}
