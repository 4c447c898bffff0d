import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { documentLink, propertyChoices } from '#features/documents/reads.ts';
import { sellerChoices } from '#features/listing-form/reads.ts';

/** GET /admin/seller-choices?q= : sellers to choose from, for administrators. */
export async function sellerChoicesEndpoint(c: Context<WebEnv>): Promise<Response> {
  const sellers = await sellerChoices(c.var.ctx, (c.req.query('q') ?? '').slice(0, 200));
  return c.json({ sellers }, 200, { 'cache-control': 'no-store' });
}

/** GET /admin/property-choices?q= : properties to choose from, for administrators. */
export async function propertyChoicesEndpoint(c: Context<WebEnv>): Promise<Response> {
  const properties = await propertyChoices(c.var.ctx, (c.req.query('q') ?? '').slice(0, 200));
  return c.json({ properties }, 200, { 'cache-control': 'no-store' });
}

/** GET /admin/documents/:id/file : leads administrators to the signed address of a document. */
export async function documentFile(c: Context<WebEnv>): Promise<Response> {
  const link = await documentLink(c.var.ctx, c.req.param('id') ?? '');
  c.header('cache-control', 'private, no-store');
  return c.redirect(link, 303);
}
