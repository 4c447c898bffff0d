import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { UserNotice } from './model.ts';
import { mayReadOwnNotices } from './rules.ts';

/**
 * The signed-in user's notices that are not confirmed yet, oldest first.
 * @throws Unauthenticated
 */
export async function openNotices(ctx: Ctx): Promise<UserNotice[]> {
  const { id } = authorizedUser(ctx, mayReadOwnNotices);
  const rows = await ctx.db
    .q()
    .selectFrom('user_notices')
    .select(['id', 'message', 'created_at'])
    .where('user_id', '=', id)
    .where('confirmed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ id: row.id, message: row.message, at: row.created_at.toISOString() }));
}
