import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { HttpEnv } from './environment.ts';
import { isLoopback } from './loopback.ts';

class Misdirected extends AppError {
  constructor() {
    super('This site is not served under this name', 421);
  }
}

/**
 * Rejects requests for a host that is not ours. A page elsewhere could otherwise reach this server through a name of its own that
 * points here, and a cache could keep what was answered for a name that somebody made up.
 * @throws AppError with 421
 */
export function requireKnownHost({
  publicUrl,
  allowedHosts,
  host,
}: Pick<Config, 'publicUrl' | 'allowedHosts' | 'host'>): MiddlewareHandler<HttpEnv> {
  const known = new Set([new URL(publicUrl).hostname, host, `[${host}]`, ...allowedHosts]);
  return (c, next) => {
    const hostname = new URL(c.req.url).hostname.replace(/\.$/, '');
    if (!known.has(hostname) && !isLoopback(hostname)) throw new Misdirected();
    return next();
  };
}
