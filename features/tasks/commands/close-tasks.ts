import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import type { TaskKind } from '../model.ts';
import { mayOpenTasks } from '../rules.ts';

/**
 * Closes the open tasks of these kinds about a subject in the current transaction, because an event has settled them.
 * @param resolution what settled them, for the list
 * @throws Unauthenticated, Forbidden for every user
 */
export async function closeTasks(
  ctx: Ctx,
  { kinds, subjectId, resolution }: { kinds: readonly TaskKind[]; subjectId: string; resolution: string },
): Promise<void> {
  authorize(ctx, mayOpenTasks);
  if (kinds.length === 0) return;
  await ctx.db.tx(async () => {
    const closed = await ctx.db
      .q()
      .updateTable('admin_tasks')
      .set({ closed_at: ctx.now(), resolution })
      .where('kind', 'in', kinds)
      .where('subject_id', '=', subjectId)
      .where('closed_at', 'is', null)
      .returning('id')
      .execute();
    for (const { id } of closed)
      await publish(ctx, { audience: 'role:admin', type: 'task.closed', payload: { task: id } });
  });
}
