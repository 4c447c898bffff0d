import { audit } from '#platform/audit.ts';
import { endedSessionCookie } from '#platform/auth/cookie.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';

/**
 * Ends the session of this browser; its other tabs hear of it (B-025). Nothing happens for someone who is not signed in.
 * @returns the Set-Cookie values that take the cookie away
 */
export async function signOut(ctx: Ctx, input: { sessionId: string | null }): Promise<{ cookies: string[] }> {
  const { actor } = ctx;
  const { sessionId } = input;
  if (actor.kind === 'user' && sessionId !== null) {
    await ctx.db.tx(async (q) => {
      const { numDeletedRows } = await q
        .deleteFrom('sessions')
        .where('id', '=', sessionId)
        .where('user_id', '=', actor.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return;
      await audit(ctx, { action: 'session.end', entity: 'session', entityId: sessionId });
      await publish(ctx, { audience: `user:${actor.id}`, type: 'session', payload: {} });
    });
  }
  return { cookies: [endedSessionCookie(ctx.config)] };
}
