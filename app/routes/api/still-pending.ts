import type { Context } from 'hono';
import { z } from 'zod';
import { readJson } from '#app/actions/read-json.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { stillPending } from '#features/payout-runs/reads.ts';

const selection = z.object({ sales: z.array(z.string()) });

/** POST /api/still-pending {sales}: those of an administrator's selection that can still be paid, with what is owed for each. */
export async function stillPendingEndpoint(c: Context<WebEnv>): Promise<Response> {
  const { sales } = await readJson(c, selection, () => 'These are no sales');
  return c.json({ pending: await stillPending(c.var.ctx, { saleIds: sales }) }, 200, {
    'cache-control': 'no-store',
  });
}
