import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { HttpEnv } from './environment.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

/**
 * The first middleware: who asks, under which id, at which address. Headers that a balancer sets are believed only
 * behind one (TRUST_PROXY); from anyone else they are what a stranger typed.
 */
export function arrival(config: Pick<Config, 'behindProxy'>, log: Log): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { behindProxy } = config;
    const given = behindProxy ? c.req.header('x-request-id') : undefined;
    const requestId = given && REQUEST_ID.test(given) ? given : randomUUID();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    const socketAddress = c.env?.incoming?.socket.remoteAddress;
    const forwarded = behindProxy ? lastOf(c.req.header('x-forwarded-for')) : undefined;
    c.set('ip', (forwarded ?? socketAddress)?.replace(/^::ffff:/, '') ?? null);
    // A TRACE is no Request that could be made anew; nothing answers it anyway.
    if (behindProxy && c.req.method !== 'TRACE') {
      const raw = asForwarded(c.req.raw);
      if (raw) c.req.raw = raw;
    }
    await next();
    // Not by `c.header`, which copies a finished answer and makes a stream of its body.
    c.res.headers.set('x-request-id', requestId);
  };
}

/** Our balancer appends the address it saw; what stands before that came with the request. */
const lastOf = (list: string | undefined) => list?.split(',').at(-1)?.trim() || undefined;

/** The request under the address that the person used, when the balancer says that it was another. */
function asForwarded(request: Request): Request | null {
  const url = new URL(request.url);
  const before = url.href;
  const protocol = lastOf(request.headers.get('x-forwarded-proto') ?? undefined);
  const host = lastOf(request.headers.get('x-forwarded-host') ?? undefined);
  if (protocol === 'https' || protocol === 'http') url.protocol = protocol;
  if (host && URL.canParse(`http://${host}/`)) url.host = host;
  return url.href === before ? null : new Request(url, request);
}
