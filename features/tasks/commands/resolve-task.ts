import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { publish } from '#platform/events/events.ts';
import { nameOf } from '../administrators.ts';
import { detailMark } from '../detail-mark.ts';
import { lockTask } from '../lock-task.ts';
import type { TaskActionResult } from '../model.ts';
import { mayManageTasks, TASK_TEXT_MAX_LENGTH, taskKinds } from '../rules.ts';

interface ResolveTaskInput {
  taskId: string;
  /** what was done; at most 2,000 characters */
  resolution: string;
  /** the mark of the explanation that was read */
  shown: string;
}

/**
 * Closes a task that no event closes, with a note on what was done about it; refused when a newer explanation has come than was
 * read, which would be closed unseen.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function resolveTask(
  ctx: Ctx,
  { taskId, resolution, shown }: ResolveTaskInput,
): Promise<TaskActionResult> {
  const user = authorizedUser(ctx, mayManageTasks);
  const note = cutText(resolution.trim(), TASK_TEXT_MAX_LENGTH);
  return ctx.db.tx(async (): Promise<TaskActionResult> => {
    const task = await lockTask(ctx, taskId);
    if (task.closed_at) return { ok: false, reason: 'closed', by: await nameOf(ctx, task.closed_by) };
    if (taskKinds[task.kind].closes) return { ok: false, reason: 'has_cause' };
    if (shown !== detailMark(task.detail)) return { ok: false, reason: 'newer' };
    if (note === '') return { ok: false, reason: 'no_resolution' };
    await ctx.db
      .q()
      .updateTable('admin_tasks')
      .set({ closed_at: ctx.now(), closed_by: user.id, resolution: note })
      .where('id', '=', task.id)
      .execute();
    await audit(ctx, {
      action: 'task.resolve',
      entity: 'admin_task',
      entityId: task.id,
      before: { kind: task.kind, subject: task.subject_id },
      after: { resolution: note },
    });
    await publish(ctx, { audience: 'role:admin', type: 'task.closed', payload: { task: task.id } });
    return { ok: true };
  });
}
