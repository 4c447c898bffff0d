import { ReadableStream as NodeStream, TextEncoderStream } from 'node:stream/web';
import type { Context } from 'hono';
import { paths } from '#app/paths.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { sellerSalesFile } from '#features/purchases/reads.ts';
import { sellerLimits } from '#features/sellers/model.ts';
import { takeTokens } from '#platform/limits.ts';

/** GET /agent/transactions.csv : the seller's sales, those the words find, as a download; a visitor signs in first (R14). */
export async function sellerTransactions(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.agentLogin({ next: paths.agentTransactions() }));
  const file = sellerSalesFile(ctx, { q: c.req.query('q') ?? null });
  await takeTokens(ctx, sellerLimits.file, `user:${ctx.actor.id}`);
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
