import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { publishedContent } from '#features/content/reads.ts';
import { attachmentDisposition } from '#gateways/files/validation.ts';

/**
 * GET /content/CID: a public document of the local store, always as a download. Everyone may keep it, but has to ask again, since it
 * can become private.
 */
export async function publishedFile(c: Context<WebEnv>): Promise<Response> {
  const cid = c.req.param('cid') ?? '';
  const { name, contentType, bytes } = await publishedContent(c.var.ctx, cid);
  const headers = {
    'cache-control': 'public, no-cache',
    etag: `"${cid}"`,
    'x-content-type-options': 'nosniff',
  };
  if (c.req.header('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...headers,
      'content-type': contentType,
      'content-length': String(bytes.length),
      'content-disposition': attachmentDisposition(name),
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}
