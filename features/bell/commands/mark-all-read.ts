import { markAllNotificationsRead } from '#features/notifications/commands/mark-all-notifications-read.ts';
import { markAllMatchesSeen } from '#features/saved-searches/commands/mark-all-matches-seen.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * Marks the user's property updates as read and the matches of their saved searches as seen. Messages stay unread until they
 * are opened, because whoever wrote them is shown when they were read.
 * @returns how many were new
 * @throws Unauthenticated
 */
export async function markAllRead(ctx: Ctx): Promise<number> {
  return ctx.db.tx(async () => {
    const updates = await markAllNotificationsRead(ctx);
    return updates + (await markAllMatchesSeen(ctx));
  });
}
