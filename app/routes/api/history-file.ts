import { ReadableStream as NodeStream, TextEncoderStream } from 'node:stream/web';
import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { exportHistory } from '#features/audit/commands/export-history.ts';
import { historyFiltersFrom } from '#features/audit/history-filters.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';

/** GET /admin/history.csv : the filtered history as a download; visitors must sign in (R14). */
export async function historyFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.adminLogin({ next: adminPaths.history() }));
  const file = await exportHistory(ctx, historyFiltersFrom(new URL(c.req.url).searchParams));
  const day = ctx.now().toISOString().slice(0, 10);
  const text = NodeStream.from(file).pipeThrough(new TextEncoderStream());
  return new Response(text as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="history-${day}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}
