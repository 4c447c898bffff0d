import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mayManageOwnNotifications } from '../rules.ts';

/**
 * Marks all of the user's notifications as read.
 * @returns how many were unread
 * @throws Unauthenticated
 */
export async function markAllNotificationsRead(ctx: Ctx): Promise<number> {
  const user = authorizedUser(ctx, mayManageOwnNotifications);
  return ctx.db.tx(async () => {
    // Skip the rows that a concurrent property change has locked: they are about to hold news and stay unread. Waiting
    // for several of them, in a different lock order, could deadlock.
    const { numUpdatedRows } = await ctx.db
      .q()
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
