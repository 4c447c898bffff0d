import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { isAdministrator, nameOf } from '../administrators.ts';
import { lockTask } from '../lock-task.ts';
import type { TaskActionResult } from '../model.ts';
import { mayManageTasks } from '../rules.ts';

interface AssignTaskInput {
  taskId: string;
  /** null: nobody */
  assigneeId: string | null;
  /** who had it when this was decided; when somebody else has it by now, it is refused */
  seenAssigneeId?: string | null;
}

/**
 * Assigns an open task to an administrator, or to nobody.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function assignTask(
  ctx: Ctx,
  { taskId, assigneeId, seenAssigneeId }: AssignTaskInput,
): Promise<TaskActionResult> {
  authorize(ctx, mayManageTasks);
  return ctx.db.tx(async (): Promise<TaskActionResult> => {
    const isPossible = assigneeId === null || (await isAdministrator(ctx, assigneeId));
    const task = await lockTask(ctx, taskId);
    if (task.closed_at) return { ok: false, reason: 'closed', by: await nameOf(ctx, task.closed_by) };
    if (seenAssigneeId !== undefined && seenAssigneeId !== task.assignee_id && task.assignee_id !== null)
      return { ok: false, reason: 'taken', by: await nameOf(ctx, task.assignee_id) };
    if (!isPossible) return { ok: false, reason: 'not_an_administrator' };
    await ctx.db
      .q()
      .updateTable('admin_tasks')
      .set({ assignee_id: assigneeId })
      .where('id', '=', task.id)
      .execute();
    await audit(ctx, {
      action: 'task.assign',
      entity: 'admin_task',
      entityId: task.id,
      before: { assignee: task.assignee_id },
      after: { assignee: assigneeId },
    });
    await publish(ctx, { audience: 'role:admin', type: 'task.changed', payload: { task: task.id } });
    return { ok: true };
  });
}
