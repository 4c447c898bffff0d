import type { Selectable } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';

/**
 * A task, locked until the end of the current transaction.
 * @throws NotFound
 */
export async function lockTask(ctx: Ctx, taskId: string): Promise<Selectable<DB['admin_tasks']>> {
  const task = isUuid(taskId)
    ? await ctx.db
        .q()
        .selectFrom('admin_tasks')
        .selectAll()
        .where('id', '=', taskId)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!task) throw new NotFound('Task not found');
  return task;
}
