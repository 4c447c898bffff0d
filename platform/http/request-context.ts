import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { HttpEnv } from './environment.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

/**
 * The first middleware: sets request id, logger, client address and public URL. Proxy headers are trusted only behind our
 * own load balancer (TRUST_PROXY), since any client can send them.
 */
export function requestContext(config: Pick<Config, 'behindProxy'>, log: Log): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { behindProxy } = config;
    const given = behindProxy ? c.req.header('x-request-id') : undefined;
    const requestId = given && REQUEST_ID.test(given) ? given : randomUUID();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    const socketAddress = c.env?.incoming?.socket.remoteAddress;
    const forwarded = behindProxy ? lastOf(c.req.header('x-forwarded-for')) : undefined;
    c.set('ip', (forwarded ?? socketAddress)?.replace(/^::ffff:/, '') ?? null);
    // A Request with method TRACE cannot be constructed; no route handles it anyway.
    if (behindProxy && c.req.method !== 'TRACE') {
      const raw = withForwardedUrl(c.req.raw);
      if (raw) c.req.raw = raw;
    }
    await next();
    // Not `c.header`, which copies a finished response and turns its body into a stream.
    c.res.headers.set('x-request-id', requestId);
  };
}

/** Our load balancer appends the address it saw; everything before that came with the request. */
const lastOf = (list: string | undefined) => list?.split(',').at(-1)?.trim() || undefined;

/** The request with the URL that the client used, when the load balancer says that it differs. */
function withForwardedUrl(request: Request): Request | null {
  const url = new URL(request.url);
  const before = url.href;
  const protocol = lastOf(request.headers.get('x-forwarded-proto') ?? undefined);
  const host = lastOf(request.headers.get('x-forwarded-host') ?? undefined);
  if (protocol === 'https' || protocol === 'http') url.protocol = protocol;
  if (host && URL.canParse(`http://${host}/`)) {
    // A name without a port would leave that at which the load balancer reached us.
    url.port = '';
    url.host = host;
  }
  return url.href === before ? null : new Request(url, request);
}
