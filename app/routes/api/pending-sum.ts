import type { Context } from 'hono';
import { parsePayoutsSort } from '#app/pages/payouts/payouts-query.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { sumOfAllPending } from '#features/payout-runs/reads.ts';

/** GET /api/pending-sum?sort= : what the pending payouts come to that are selected together, in cents, in an order such as '-date'. */
export async function pendingSum(c: Context<WebEnv>): Promise<Response> {
  const cents = await sumOfAllPending(c.var.ctx, { sort: parsePayoutsSort(c.req.query('sort') ?? '') });
  return c.json({ cents }, 200, { 'cache-control': 'no-store' });
}
