import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { lockTask } from '../lock-task.ts';
import type { TaskActionResult } from '../model.ts';
import { mayManageTasks } from '../rules.ts';

/**
 * Assigns an open task to an administrator, or to nobody.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function assignTask(
  ctx: Ctx,
  { taskId, assigneeId }: { taskId: string; assigneeId: string | null },
): Promise<TaskActionResult> {
  authorize(ctx, mayManageTasks);
  return ctx.db.tx(async () => {
    const task = await lockTask(ctx, taskId);
    if (task.closed_at) return { ok: false, reason: 'closed' };
    if (assigneeId !== null && !(await isAdministrator(ctx, assigneeId)))
      return { ok: false, reason: 'not_an_administrator' };
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
    return { ok: true };
  });
}

async function isAdministrator(ctx: Ctx, userId: string): Promise<boolean> {
  if (!isUuid(userId)) return false;
  const found = await ctx.db
    .q()
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', userId)
    .where('role', '=', 'admin')
    .executeTakeFirst();
  return found !== undefined;
}
