import { ReadableStream as NodeStream, TextEncoderStream } from 'node:stream/web';
import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { personalDataLimits } from '#features/personal-data/limits.ts';
import { exportOwnData } from '#features/personal-data/reads.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { paths } from '#routing/paths.ts';

/** GET /account/export : all personal data of the signed-in user as a download; visitors are redirected to sign in. */
export async function accountExport(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.buyerLogin({ next: paths.account() }));
  await takeTokens(ctx, personalDataLimits.export, `user:${ctx.actor.id}`);
  const day = ctx.now().toISOString().slice(0, 10);
  const text = NodeStream.from(exportOwnData(ctx)).pipeThrough(new TextEncoderStream());
  return new Response(text as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="acre-trading-post-${day}.json"`,
      'cache-control': 'private, no-store',
    },
  });
}
