import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { waitingWork } from '#features/overview/reads.ts';

/** GET /api/waiting-work : how much waits for an administrator, as JSON. */
export async function waitingWorkEndpoint(c: Context<WebEnv>): Promise<Response> {
  return c.json(await waitingWork(c.var.ctx), 200, { 'cache-control': 'no-store' });
}
