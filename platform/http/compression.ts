import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|manifest\+json|xml|[\w.-]+\+(?:json|xml))|image\/svg\+xml)/i;
const MIN_BYTES = 1_024;
type Encoding = 'br' | 'gzip';
/** Responses of known length up to this many bytes are compressed in one piece, which takes half the work. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const BODILESS = new Set([101, 204, 205, 206, 304]);
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
const GZIP_LEVEL = 5;

/**
 * Compresses pages and data: in one piece what is short or can only be read whole, else chunk by chunk, so that a streamed page
 * appears progressively. Event streams, images, already compressed and tiny responses pass unchanged.
 */
export const compression: MiddlewareHandler = async (c, next) => {
  await next();
  // `body` is accessed last, because accessing it turns a buffered response into a stream.
  const { headers, status } = c.res;
  if (!COMPRESSIBLE.test(headers.get('content-type') ?? '') || headers.has('content-encoding')) return;
  headers.append('vary', 'accept-encoding');
  const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '');
  const length = headers.get('content-length');
  if (
    !encoding ||
    c.req.method === 'HEAD' ||
    BODILESS.has(status) ||
    (length !== null && Number(length) < MIN_BYTES) ||
    headers.get('cache-control')?.includes('no-transform') ||
    !c.res.body
  )
    return;
  const { statusText } = c.res;
  const answerWith = (body: Uint8Array<ArrayBuffer> | ReadableStream, sent: Headers) => {
    c.res = undefined;
    c.res = new Response(body, { status, statusText, headers: sent });
  };
  const whole = isReadWhole(headers) ? Buffer.from(await c.res.arrayBuffer()) : null;
  if (whole && whole.length < MIN_BYTES) return answerWith(whole, headers);
  const body = whole ? await compressBuffer(whole, encoding) : compressStream(c.res.body, encoding);
  answerWith(body, encodedHeaders(headers, encoding));
};

/** JSON is of no use before its end; only a file of it, which is downloaded, may be long. */
function isReadWhole(headers: Headers): boolean {
  const length = headers.get('content-length');
  if (length !== null) return Number(length) <= MAX_BUFFERED_BYTES;
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return isJson && !headers.has('content-disposition');
}

function encodedHeaders(headers: Headers, encoding: Encoding): Headers {
  const encoded = new Headers(headers);
  encoded.delete('content-length');
  encoded.set('content-encoding', encoding);
  const etag = headers.get('etag');
  if (etag && !etag.startsWith('W/')) encoded.set('etag', `W/${etag}`);
  return encoded;
}

function compressBuffer(body: Buffer, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  return encoding === 'br'
    ? promisify(brotliCompress)(body, {
        params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      })
    : promisify(gzip)(body, { level: GZIP_LEVEL });
}

function compressStream(body: ReadableStream, encoding: Encoding): ReadableStream {
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI })
      : createGzip({ flush: constants.Z_SYNC_FLUSH, level: GZIP_LEVEL });
  // A broken stream destroys the compressor with its error, which reaches the reader of the response.
  pipeline(Readable.fromWeb(body as NodeReadableStream), compressor, () => undefined);
  return Readable.toWeb(compressor) as ReadableStream;
}

/** Brotli or else gzip, if the client accepts it. */
function preferredEncoding(accepted: string): Encoding | null {
  const refused = /;\s*q=0(?:\.0*)?\s*$/;
  const names = accepted
    .split(',')
    .filter((entry) => !refused.test(entry))
    .map((entry) => entry.split(';')[0]?.trim().toLowerCase());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : null;
}
