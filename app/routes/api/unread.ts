import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { unreadCount } from '#features/inquiries/reads.ts';

/** GET /api/unread : the viewer's unread message count; 0 for roles without a bell. */
export const unread = async (c: Context<WebEnv>): Promise<Response> =>
  c.json({ unread: await unreadCount(c.var.ctx) }, 200, { 'cache-control': 'no-store' });
