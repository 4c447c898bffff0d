import { ReadableStream as NodeStream, TextEncoderStream } from 'node:stream/web';
import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { saleLimits } from '#features/sales/limits.ts';
import { sellerSalesFile } from '#features/sales/reads.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { paths } from '#routing/paths.ts';

/** GET /agent/transactions.csv : the seller's sales that match `q`, as a download; visitors must sign in (R14). */
export async function sellerTransactions(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.sellerLogin({ next: paths.sellerTransactions() }));
  const file = sellerSalesFile(ctx, { q: c.req.query('q') ?? null });
  await takeTokens(ctx, saleLimits.file, `user:${ctx.actor.id}`);
  const day = ctx.now().toISOString().slice(0, 10);
  const text = NodeStream.from(file).pipeThrough(new TextEncoderStream());
  return new Response(text as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="transactions-${day}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}
