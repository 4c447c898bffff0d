import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import { Forbidden } from '../errors.ts';
import type { HttpEnv } from './environment.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * CSRF protection: every write must come from one of our pages, according to Sec-Fetch-Site or Origin. A request with
 * neither header is rejected.
 * @param exempt path prefixes that external systems may post to and that authenticate the sender otherwise (webhooks)
 * @throws Forbidden
 */
export function requireSameOrigin(
  config: Pick<Config, 'publicUrl'>,
  exempt: string[] = [],
): MiddlewareHandler<HttpEnv> {
  const publicOrigin = new URL(config.publicUrl).origin;
  return async (c, next) => {
    if (READING.has(c.req.method) || exempt.some((path) => c.req.path.startsWith(path))) return next();
    const ours = new URL(c.req.url).origin;
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    const byOrigin = origin === publicOrigin || origin === ours;
    if (site ? site !== 'same-origin' : !byOrigin)
      throw new Forbidden('This request did not come from our pages');
    // A page with the no-referrer policy sends the origin "null"; Sec-Fetch-Site has already vouched for it.
    if (origin !== undefined && origin !== ours) {
      const headers = new Headers(c.req.raw.headers);
      headers.set('origin', ours);
      c.req.raw = new Request(c.req.raw, { headers });
    }
    await next();
  };
}
