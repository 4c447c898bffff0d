import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mayManageOwnSessions } from '../rules.ts';

/**
 * Ends every session of the user but the one of this browser.
 * @returns how many were ended
 * @throws Unauthenticated
 */
export async function endOtherSessions(
  ctx: Ctx,
  { currentSessionId }: { currentSessionId: string | null },
): Promise<number> {
  const user = authorizedUser(ctx, mayManageOwnSessions);
  return ctx.db.tx(async () => {
    const own = ctx.db.q().deleteFrom('sessions').where('user_id', '=', user.id);
    const { numDeletedRows } = await (currentSessionId === null
      ? own
      : own.where('id', '!=', currentSessionId)
    ).executeTakeFirst();
    if (numDeletedRows === 0n) return 0;
    await audit(ctx, { action: 'session.revoke_others', entity: 'user', entityId: user.id });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
    return Number(numDeletedRows);
  });
}
