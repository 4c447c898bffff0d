import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { receiptFile, receiptLink } from '#features/sales/reads.ts';
import { maySeeSales } from '#features/sales/rules.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';

/** GET /receipt/:id/pdf : leads those who may see the receipt to the signed address of its file; visitors sign in first. */
export async function receiptPdf(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const id = c.req.param('id') ?? '';
  if (!maySeeSales(ctx.actor)) return c.redirect(paths.buyerLogin({ next: purchasePaths.receipt(id) }));
  c.header('cache-control', 'private, no-store');
  return c.redirect(await receiptLink(ctx, id), 303);
}

/** GET /files/receipts/:file?exp=&name=&sig= : the receipt as a PDF, through a signed address alone. */
export async function signedReceipt(c: Context<WebEnv>): Promise<Response> {
  const saleId = (c.req.param('file') ?? '').replace(/\.pdf$/, '');
  const { name, bytes } = await receiptFile(c.var.ctx, { saleId, query: new URL(c.req.url).searchParams });
  return new Response(bytes, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.byteLength),
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    },
  });
}
