import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { unreadCount } from '#features/inquiries/reads.ts';

/** GET /api/unread : the number on the bell of whoever asks; 0 for everybody without one (B-059). */
export const unread = async (c: Context<WebEnv>): Promise<Response> =>
  c.json({ unread: await unreadCount(c.var.ctx) }, 200, { 'cache-control': 'no-store' });
