import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { isAdministrator, nameOf } from '../administrators.ts';
import { lockTask } from '../lock-task.ts';
import type { TaskActionResult } from '../model.ts';
import { mayManageTasks } from '../rules.ts';

/**
 * Takes an open task that nobody has. Of two administrators at once one gets it; the other is told who.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function takeTask(ctx: Ctx, { taskId }: { taskId: string }): Promise<TaskActionResult> {
  const user = authorizedUser(ctx, mayManageTasks);
  return ctx.db.tx(async (): Promise<TaskActionResult> => {
    // Whoever was removed since the request began takes nothing.
    if (!(await isAdministrator(ctx, user.id))) throw new Forbidden();
    const task = await lockTask(ctx, taskId);
    if (task.closed_at) return { ok: false, reason: 'closed', by: await nameOf(ctx, task.closed_by) };
    if (task.assignee_id === user.id) return { ok: true };
    if (task.assignee_id !== null)
      return { ok: false, reason: 'taken', by: await nameOf(ctx, task.assignee_id) };
    await ctx.db
      .q()
      .updateTable('admin_tasks')
      .set({ assignee_id: user.id })
      .where('id', '=', task.id)
      .execute();
    await audit(ctx, {
      action: 'task.take',
      entity: 'admin_task',
      entityId: task.id,
      before: { assignee: null },
      after: { assignee: user.id },
    });
    await publish(ctx, { audience: 'role:admin', type: 'task.changed', payload: { task: task.id } });
    return { ok: true };
  });
}
