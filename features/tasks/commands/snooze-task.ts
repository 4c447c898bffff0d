import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { nameOf } from '../administrators.ts';
import { lockTask } from '../lock-task.ts';
import type { TaskActionResult } from '../model.ts';
import { mayManageTasks, SNOOZE_MAX_MS } from '../rules.ts';

/**
 * Takes an open task off the list until a time in the next 90 days, when it comes back by itself; null brings it back now.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function snoozeTask(
  ctx: Ctx,
  { taskId, until }: { taskId: string; until: Date | null },
): Promise<TaskActionResult> {
  authorize(ctx, mayManageTasks);
  const now = ctx.now().getTime();
  return ctx.db.tx(async (): Promise<TaskActionResult> => {
    const task = await lockTask(ctx, taskId);
    if (task.closed_at) return { ok: false, reason: 'closed', by: await nameOf(ctx, task.closed_by) };
    const wait = until === null ? 1 : until.getTime() - now;
    // Also when it is no date at all.
    if (!(wait > 0 && wait <= SNOOZE_MAX_MS)) return { ok: false, reason: 'no_time' };
    if (task.snoozed_until?.getTime() === until?.getTime()) return { ok: true };
    await ctx.db
      .q()
      .updateTable('admin_tasks')
      .set({ snoozed_until: until })
      .where('id', '=', task.id)
      .execute();
    await audit(ctx, {
      action: until === null ? 'task.wake' : 'task.snooze',
      entity: 'admin_task',
      entityId: task.id,
      before: { until: task.snoozed_until },
      after: { until },
    });
    await publish(ctx, { audience: 'role:admin', type: 'task.changed', payload: { task: task.id } });
    return { ok: true };
  });
}
