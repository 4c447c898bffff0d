import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { saleLimits } from '#features/sales/limits.ts';
import { sellerSalesFile } from '#features/sales/reads.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { CSV_TYPE } from '#platform/table-file/csv.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { fileDownload } from './file-download.ts';

/** GET /agent/transactions.csv : the seller's sales that match `q`, as a download; visitors must sign in (R14). */
export async function sellerTransactions(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.sellerLogin({ next: sellerPaths.transactions() }));
  const body = sellerSalesFile(ctx, { q: c.req.query('q') ?? null });
  await takeTokens(ctx, saleLimits.file, `user:${ctx.actor.id}`);
  const day = ctx.now().toISOString().slice(0, 10);
  return fileDownload({ name: `transactions-${day}.csv`, type: CSV_TYPE, body });
}
