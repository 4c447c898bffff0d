import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';

/** GET /api/events : the live events of whoever is signed in, and the public ones for everybody. */
export const liveEvents = (c: Context<WebEnv>): Response =>
  c.var.services.streams.respond(c, c.var.ctx.actor);
