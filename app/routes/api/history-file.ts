import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { exportHistory } from '#features/audit/commands/export-history.ts';
import { historyFiltersFrom } from '#features/audit/history-filters.ts';
import { CSV_TYPE } from '#platform/table-file/csv.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { fileDownload } from './file-download.ts';

/** GET /admin/history.csv : the filtered history as a download; visitors must sign in (R14). */
export async function historyFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.adminLogin({ next: adminPaths.history() }));
  const body = await exportHistory(ctx, historyFiltersFrom(new URL(c.req.url).searchParams));
  const day = ctx.now().toISOString().slice(0, 10);
  return fileDownload({ name: `history-${day}.csv`, type: CSV_TYPE, body });
}
