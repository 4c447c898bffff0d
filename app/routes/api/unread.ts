import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { unreadCounts } from '#features/bell/reads.ts';
import { totalUnread } from '#features/bell/rules.ts';
import { unreadMessageCount } from '#features/inquiries/reads.ts';

/**
 * GET /api/unread : how much of each kind the viewer has not seen, and the sum; zero for visitors. With `?buyer_uuid=` an
 * administrator gets the number of a buyer's unread messages; from others it is ignored.
 */
export async function unread(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const headers = { 'cache-control': 'no-store' };
  const buyerId = c.req.query('buyer_uuid');
  if (buyerId && ctx.actor.kind === 'user' && ctx.actor.role === 'admin')
    return c.json({ unread: await unreadMessageCount(ctx, { buyerId }) }, 200, headers);
  const counts = await unreadCounts(ctx);
  return c.json({ unread: totalUnread(counts), ...counts }, 200, headers);
}
