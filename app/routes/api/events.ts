import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { resolveSession } from '#platform/auth/session.ts';

/** GET /api/events : the live events of the signed-in user, and the public ones for everybody. */
export const liveEvents = (c: Context<WebEnv>): Response => {
  const { ctx, services, sessionId } = c.var;
  return services.streams.respond(c, ctx, async () => {
    const now = await resolveSession(ctx, c.req.raw);
    return { current: now.sessionId === sessionId, endsAt: now.expiresAt };
  });
};
