import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isTimeZone, mayManageOwnNotifications } from '../rules.ts';

/**
 * Remembers the time zone that the user's browser is in, by which their digests are sent unless they have chosen another one.
 * @returns false for what is no time zone; then nothing changes
 * @throws Unauthenticated
 */
export async function rememberTimeZone(ctx: Ctx, { timeZone }: { timeZone: string }): Promise<boolean> {
  const user = authorizedUser(ctx, mayManageOwnNotifications);
  if (!isTimeZone(timeZone)) return false;
  await ctx.db
    .q()
    .updateTable('profiles')
    .set({ time_zone: timeZone })
    .where('id', '=', user.id)
    .where('time_zone', 'is distinct from', timeZone)
    .execute();
  return true;
}
