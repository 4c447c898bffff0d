import { audit } from '#platform/audit.ts';
import { clearedSessionCookie } from '#platform/auth/cookie.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';

/**
 * Ends the session of this browser and notifies its other tabs. Does nothing for a visitor.
 * @returns the Set-Cookie values that remove the cookie
 */
export async function signOut(ctx: Ctx, input: { sessionId: string | null }): Promise<{ cookies: string[] }> {
  const { actor } = ctx;
  const { sessionId } = input;
  if (actor.kind === 'user' && sessionId !== null) {
    await ctx.db.tx(async () => {
      const { numDeletedRows } = await ctx.db
        .q()
        .deleteFrom('sessions')
        .where('id', '=', sessionId)
        .where('user_id', '=', actor.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return;
      await audit(ctx, { action: 'session.end', entity: 'session', entityId: sessionId });
      await publish(ctx, { audience: `user:${actor.id}`, type: 'session', payload: {} });
    });
  }
  return { cookies: [clearedSessionCookie(ctx.config)] };
}
