import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { statementFile } from '#features/statements/reads.ts';
import { NotFound } from '#platform/errors.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { fileDownload } from './file-download.ts';

/** GET /statements/:seller/YYYY-MM.pdf, .csv : a seller's statement as a file; visitors must sign in (R14). */
export async function statementEndpoint(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const [, month, format] = /^(\d{4}-\d{2})\.(pdf|csv)$/.exec(c.req.param('file') ?? '') ?? [];
  if (ctx.actor.kind !== 'user')
    return c.redirect(paths.sellerLogin({ next: sellerPaths.statements({ month }) }));
  if (month === undefined) throw new NotFound();
  return fileDownload(
    await statementFile(ctx, {
      sellerId: c.req.param('seller') ?? '',
      month,
      format: format === 'pdf' ? 'pdf' : 'csv',
    }),
  );
}
