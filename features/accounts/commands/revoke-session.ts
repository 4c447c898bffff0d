import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { isUuid, mayManageOwnSessions } from '../rules.ts';

/**
 * Signs one of the person's own sessions out.
 * @throws Unauthenticated; NotFound for a session that has ended or is someone else's
 */
export async function revokeSession(ctx: Ctx, input: { sessionId: string }): Promise<void> {
  const user = authorizedUser(ctx, mayManageOwnSessions);
  if (!isUuid(input.sessionId)) throw new NotFound('Session not found');
  await ctx.db.tx(async (q) => {
    const { numDeletedRows } = await q
      .deleteFrom('sessions')
      .where('id', '=', input.sessionId)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotFound('Session not found');
    await audit(ctx, { action: 'session.revoke', entity: 'session', entityId: input.sessionId });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
  });
}
