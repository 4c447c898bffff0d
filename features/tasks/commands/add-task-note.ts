import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { publish } from '#platform/events/events.ts';
import { visibleText } from '#platform/typed-text.ts';
import { lockTask } from '../lock-task.ts';
import type { TaskActionResult } from '../model.ts';
import { mayManageTasks, TASK_TEXT_MAX_LENGTH } from '../rules.ts';

/**
 * Adds a note to a task, open or closed; at most 2,000 characters.
 * @throws Unauthenticated; Forbidden; NotFound
 */
export async function addTaskNote(
  ctx: Ctx,
  { taskId, text }: { taskId: string; text: string },
): Promise<TaskActionResult> {
  const user = authorizedUser(ctx, mayManageTasks);
  const note = cutText(visibleText(text).trim(), TASK_TEXT_MAX_LENGTH);
  return ctx.db.tx(async (): Promise<TaskActionResult> => {
    const task = await lockTask(ctx, taskId);
    if (note === '') return { ok: false, reason: 'no_note' };
    await ctx.db
      .q()
      .insertInto('admin_task_notes')
      .values({ task_id: task.id, author_id: user.id, text: note, created_at: ctx.now() })
      .execute();
    await audit(ctx, { action: 'task.note', entity: 'admin_task', entityId: task.id, after: { note } });
    await publish(ctx, { audience: 'role:admin', type: 'task.changed', payload: { task: task.id } });
    return { ok: true };
  });
}
