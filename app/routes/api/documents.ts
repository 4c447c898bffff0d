import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { documentLink } from '#features/documents/reads.ts';

/** GET /documents/:id/file : leads those to whom a document is shown to its signed address. */
export async function shownDocumentFile(c: Context<WebEnv>): Promise<Response> {
  const link = await documentLink(c.var.ctx, c.req.param('id') ?? '');
  c.header('cache-control', 'private, no-store');
  return c.redirect(link, 303);
}
