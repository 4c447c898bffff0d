import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Preferences } from '../model.ts';
import { isDigestHour, mayHaveNotifications } from '../rules.ts';

/**
 * Keeps which mails the person wants, and at which hour (UTC) those that wait are sent.
 * @throws Unauthenticated
 */
export async function savePreferences(
  ctx: Ctx,
  wanted: Preferences,
): Promise<{ ok: true } | { ok: false; reason: 'hour' }> {
  const user = authorizedUser(ctx, mayHaveNotifications);
  if (!isDigestHour(wanted.digestHour)) return { ok: false, reason: 'hour' };
  const values = {
    mail_property_updates: wanted.mailPropertyUpdates,
    mail_messages: wanted.mailMessages,
    mail_saved_searches: wanted.mailSavedSearches,
    digest_hour: wanted.digestHour,
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
