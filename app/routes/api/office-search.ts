import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { searchOffice } from '#features/office-search/reads.ts';

/** GET /api/office-search?q= : what an administrator's search finds, as JSON. */
export async function officeSearch(c: Context<WebEnv>): Promise<Response> {
  const records = await searchOffice(c.var.ctx, { q: c.req.query('q') ?? '' });
  return c.json(records, 200, { 'cache-control': 'no-store' });
}
