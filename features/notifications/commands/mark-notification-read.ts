import { isUuid } from '#features/accounts/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { mayHaveNotifications } from '../rules.ts';

/**
 * Marks one of one's own notifications as read; the person's other pages hear of it (S0 §2).
 * @throws Unauthenticated; NotFound for one that is not theirs
 */
export async function markNotificationRead(ctx: Ctx, id: string): Promise<void> {
  const user = authorizedUser(ctx, mayHaveNotifications);
  if (!isUuid(id)) throw new NotFound();
  await ctx.db.tx(async (q) => {
    const own = await q
      .selectFrom('property_notifications')
      .select('is_read')
      .where('id', '=', id)
      .where('user_id', '=', user.id)
      .forUpdate()
      .executeTakeFirst();
    if (!own) throw new NotFound();
    if (own.is_read) return;
    await q.updateTable('property_notifications').set({ is_read: true }).where('id', '=', id).execute();
    await publish(ctx, { audience: `user:${user.id}`, type: 'notification.read', payload: { id } });
  });
}
