import { authorize } from '#platform/access.ts';
import { auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mayOpenTasks } from '../rules.ts';

/**
 * Takes the open tasks of an administrator who is being removed from them, in the current transaction, so that the others see that
 * nobody has them.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function unassignTasks(ctx: Ctx, { assigneeId }: { assigneeId: string }): Promise<void> {
  authorize(ctx, mayOpenTasks);
  const left = await ctx.db
    .q()
    .updateTable('admin_tasks')
    .set({ assignee_id: null })
    .where('assignee_id', '=', assigneeId)
    .where('closed_at', 'is', null)
    .returning('id')
    .execute();
  await auditAll(
    ctx,
    left.map(({ id }) => ({
      action: 'task.assign',
      entity: 'admin_task',
      entityId: id,
      before: { assignee: assigneeId },
      after: { assignee: null },
    })),
  );
  for (const { id } of left)
    await publish(ctx, { audience: 'role:admin', type: 'task.changed', payload: { task: id } });
}
