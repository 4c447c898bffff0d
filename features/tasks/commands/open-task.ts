import { type ExpressionBuilder, sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { publish } from '#platform/events/events.ts';
import { mailTask } from '../mails.ts';
import type { TaskKind } from '../model.ts';
import { mayOpenTasks, TASK_TEXT_MAX_LENGTH, taskKinds } from '../rules.ts';

interface OpenTaskInput {
  kind: TaskKind;
  /** id of what the task is about; its kind says of which type */
  subjectId: string;
  detail?: string | null;
  dueAt?: Date | null;
  /** whose task it is from the start */
  assigneeId?: string | null;
  /** whoever opens it has mailed those it concerns */
  mailed?: boolean;
}

/**
 * Opens a task for the administrators in the current transaction, and mails them according to its severity. While one of this
 * kind is open for the subject, it only takes over the newer explanation. News ends a snooze: it was granted knowing less; what a
 * job counts anew again and again, in most of the tasks that close with their cause, is none.
 * @returns whether the task is new
 * @throws Unauthenticated, Forbidden for every user
 */
export async function openTask(
  ctx: Ctx,
  { kind, subjectId, detail, dueAt, assigneeId = null, mailed = false }: OpenTaskInput,
): Promise<boolean> {
  authorize(ctx, mayOpenTasks);
  const { severity, subjectType, closes, isNews = closes === undefined } = taskKinds[kind];
  const values = {
    detail: cutText(detail ?? '', TASK_TEXT_MAX_LENGTH),
    due_at: dueAt ?? null,
  };
  const isOpen = (task: ExpressionBuilder<DB, 'admin_tasks'>) =>
    task.and([task('kind', '=', kind), task('subject_id', '=', subjectId), task('closed_at', 'is', null)]);
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    // Again when the one that was there is closed at the same moment: whoever did so has not read this.
    for (;;) {
      const opened = await q
        .insertInto('admin_tasks')
        .values({
          kind,
          subject_type: subjectType,
          subject_id: subjectId,
          severity,
          created_at: ctx.now(),
          assignee_id: assigneeId,
          ...values,
        })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'subject_id']).where('closed_at', 'is', null).doNothing(),
        )
        .returning('id')
        .executeTakeFirst();
      if (opened) {
        await publish(ctx, { audience: 'role:admin', type: 'task.opened', payload: { task: opened.id } });
        if (severity !== 'low' && !mailed)
          await mailTask(ctx, { id: opened.id, kind, detail: values.detail, subjectId });
        return true;
      }
      const changed = await q
        .updateTable('admin_tasks')
        .set((task) => ({
          ...values,
          ...(isNews && {
            snoozed_until: task
              .case()
              // Also when what it said before was more: a report less is no news.
              .when(sql<boolean>`position(${values.detail} in detail) > 0`)
              .then(task.ref('snoozed_until'))
              .else(null)
              .end(),
          }),
        }))
        .where(isOpen)
        .where((task) =>
          task.or([
            task('detail', 'is distinct from', values.detail),
            task('due_at', 'is distinct from', values.due_at),
          ]),
        )
        .returning('id')
        .executeTakeFirst();
      // Whoever has it open would else close it without having read what has come since.
      if (changed)
        await publish(ctx, { audience: 'role:admin', type: 'task.changed', payload: { task: changed.id } });
      if (changed || (await q.selectFrom('admin_tasks').select('id').where(isOpen).executeTakeFirst()))
        return false;
    }
  });
}
