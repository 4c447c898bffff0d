import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|manifest\+json|xml|[\w.-]+\+(?:json|xml))|image\/svg\+xml)/i;
const WORTH_IT = 1_024;
const BODILESS = new Set([101, 204, 205, 206, 304]);

/**
 * Compresses pages and data, chunk by chunk, so that a streamed page shows its first part at once. Event streams,
 * pictures and what is compressed already pass as they are.
 */
export const compression: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers, status, body } = c.res;
  if (!COMPRESSIBLE.test(headers.get('content-type') ?? '') || headers.has('content-encoding')) return;
  c.header('vary', 'accept-encoding', { append: true });
  const encoding = preferred(c.req.header('accept-encoding') ?? '');
  const length = headers.get('content-length');
  if (
    !encoding ||
    !body ||
    c.req.method === 'HEAD' ||
    BODILESS.has(status) ||
    (length !== null && Number(length) < WORTH_IT) ||
    headers.get('cache-control')?.includes('no-transform')
  )
    return;
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 4,
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          },
        })
      : createGzip({ flush: constants.Z_SYNC_FLUSH, level: 5 });
  // A broken stream destroys the compressor with its error, and that reaches the reader of the answer.
  pipeline(Readable.fromWeb(body as NodeReadableStream), compressor, () => undefined);
  const compressed = new Response(Readable.toWeb(compressor) as ReadableStream, c.res);
  compressed.headers.delete('content-length');
  compressed.headers.set('content-encoding', encoding);
  const etag = headers.get('etag');
  if (etag && !etag.startsWith('W/')) compressed.headers.set('etag', `W/${etag}`);
  c.res = undefined;
  c.res = compressed;
};

/** Brotli before gzip, of what the client accepts at all. */
function preferred(accepted: string): 'br' | 'gzip' | null {
  const refused = /;\s*q=0(?:\.0*)?\s*$/;
  const names = accepted
    .split(',')
    .filter((entry) => !refused.test(entry))
    .map((entry) => entry.split(';')[0]?.trim().toLowerCase());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : null;
}
