import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mayHaveNotifications } from '../rules.ts';

/**
 * Marks all of one's own notifications as read.
 * @returns how many were not
 * @throws Unauthenticated
 */
export async function markAllNotificationsRead(ctx: Ctx): Promise<number> {
  const user = authorizedUser(ctx, mayHaveNotifications);
  return ctx.db.tx(async (q) => {
    // What a change of its property is just writing to says something new and stays unread; waiting for several such
    // changes in another order than theirs could not end.
    const { numUpdatedRows } = await q
      .updateTable('property_notifications')
      .set({ is_read: true })
      .where('id', 'in', (unread) =>
        unread
          .selectFrom('property_notifications')
          .select('id')
          .where('user_id', '=', user.id)
          .where('is_read', '=', false)
          .forUpdate()
          .skipLocked(),
      )
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n)
      await publish(ctx, { audience: `user:${user.id}`, type: 'notification.read', payload: { id: null } });
    return Number(numUpdatedRows);
  });
}
