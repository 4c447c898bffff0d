import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayManageOwnNotifications } from '../rules.ts';

/**
 * Marks one of the user's notifications as read and sends a live event to their other pages.
 * @throws Unauthenticated; NotFound for somebody else's
 */
export async function markNotificationRead(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const user = authorizedUser(ctx, mayManageOwnNotifications);
  if (!isUuid(id)) throw new NotFound();
  await ctx.db.tx(async () => {
    const own = await ctx.db
      .q()
      .selectFrom('property_notifications')
      .select('is_read')
      .where('id', '=', id)
      .where('user_id', '=', user.id)
      .forUpdate()
      .executeTakeFirst();
    if (!own) throw new NotFound();
    if (own.is_read) return;
    await ctx.db
      .q()
      .updateTable('property_notifications')
      .set({ is_read: true })
      .where('id', '=', id)
      .execute();
    await publish(ctx, { audience: `user:${user.id}`, type: 'notification.read', payload: { id } });
  });
}
