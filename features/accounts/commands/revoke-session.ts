import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayManageOwnSessions } from '../rules.ts';

/**
 * Ends one of the user's own sessions.
 * @throws Unauthenticated; NotFound for a session that has ended or belongs to someone else
 */
export async function revokeSession(ctx: Ctx, input: { sessionId: string }): Promise<void> {
  const user = authorizedUser(ctx, mayManageOwnSessions);
  if (!isUuid(input.sessionId)) throw new NotFound('Session not found');
  await ctx.db.tx(async () => {
    const { numDeletedRows } = await ctx.db
      .q()
      .deleteFrom('sessions')
      .where('id', '=', input.sessionId)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotFound('Session not found');
    await audit(ctx, { action: 'session.revoke', entity: 'session', entityId: input.sessionId });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
  });
}
