import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { NotificationPreferences } from '../model.ts';
import { isDigestHour, isTimeZone, mayManageOwnNotifications } from '../rules.ts';

/**
 * Saves the user's mail preferences, with the digest hour and the zone that it is meant in.
 * @throws Unauthenticated
 */
export async function savePreferences(
  ctx: Ctx,
  wanted: NotificationPreferences,
): Promise<{ ok: true } | { ok: false; reason: 'hour' | 'zone' }> {
  const user = authorizedUser(ctx, mayManageOwnNotifications);
  if (!isDigestHour(wanted.digestHour)) return { ok: false, reason: 'hour' };
  if (!isTimeZone(wanted.timeZone)) return { ok: false, reason: 'zone' };
  const values = {
    mail_property_updates: wanted.mailPropertyUpdates,
    mail_messages: wanted.mailMessages,
    mail_saved_searches: wanted.mailSavedSearches,
    digest_hour: wanted.digestHour,
    time_zone: wanted.timeZone,
    updated_at: ctx.now(),
  };
  await ctx.db
    .q()
    .insertInto('notification_preferences')
    .values({ user_id: user.id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
  return { ok: true };
}
