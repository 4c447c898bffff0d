import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { viewerOf } from '#features/accounts/reads.ts';

/** GET /api/session : the id of who is signed in, null for a visitor. */
export const session = (c: Context<WebEnv>): Response =>
  c.json({ viewer: viewerOf(c.var.ctx)?.id ?? null }, 200, { 'cache-control': 'no-store' });
