import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import { Forbidden } from '../errors.ts';
import type { HttpEnv } from './environment.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Every write must come from a page of ours (S0 §8). Browsers say where a request comes from by Sec-Fetch-Site or by
 * Origin; a request that says neither is refused.
 * @param exempt beginnings of paths that others may post to and that prove their sender in another way (webhooks)
 * @throws Forbidden
 */
export function requireOwnOrigin(
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
    // A page that sends no referrer sends the origin "null" too; the browser has vouched for it by the other header.
    if (origin !== undefined && origin !== ours) {
      const headers = new Headers(c.req.raw.headers);
      headers.set('origin', ours);
      c.req.raw = new Request(c.req.raw, { headers });
    }
    await next();
  };
}
