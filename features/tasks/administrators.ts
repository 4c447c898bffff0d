import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';

/** The name of an account; null for none. */
export async function nameOf(ctx: Ctx, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const user = await ctx.db
    .q()
    .selectFrom('users')
    .select('name')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.name ?? null;
}

/**
 * Whether an account is an administrator, and stays one until the end of the current transaction: whoever is removed loses the tasks that
 * they have by then. Asked before a task is locked, as a removal does it in this order.
 */
export async function isAdministrator(ctx: Ctx, userId: string): Promise<boolean> {
  if (!isUuid(userId)) return false;
  const found = await ctx.db
    .q()
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', userId)
    .where('role', '=', 'admin')
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}
