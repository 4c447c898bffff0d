import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { downloadTransactionsFile } from '#features/transactions/commands/download-transactions-file.ts';
import { exportTransactions } from '#features/transactions/commands/export-transactions.ts';
import { listParams, prepareDialog, transactionQueryFrom } from '#features/transactions/filters.ts';
import type { FileFormat } from '#features/transactions/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { fileDownload } from './file-download.ts';

/**
 * GET /admin/transactions.csv, .xlsx : the list that the address names as a download, all its pages; visitors must sign in. One that
 * is too long leads to the question whether it is to be prepared (R14).
 */
export const transactionsFile =
  (format: FileFormat) =>
  async (c: Context<WebEnv>): Promise<Response> => {
    const { ctx } = c.var;
    const { page: _, ...query } = transactionQueryFrom(new URL(c.req.url).searchParams);
    const list = listParams(query);
    if (ctx.actor.kind !== 'user')
      return c.redirect(paths.adminLogin({ next: adminPaths.transactions(list) }));
    const file = await exportTransactions(ctx, { format, query });
    return file.ok
      ? fileDownload(file)
      : c.redirect(adminPaths.transactions({ ...list, do: prepareDialog(format) }), 303);
  };

/** GET /admin/transaction-files/:id : a file that was prepared; visitors must sign in. */
export async function preparedTransactionsFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind !== 'user') return c.redirect(paths.adminLogin({ next: adminPaths.transactions() }));
  return fileDownload(await downloadTransactionsFile(ctx, { fileId: c.req.param('id') ?? '' }));
}
