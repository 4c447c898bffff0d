import type { MiddlewareHandler } from 'hono';
import { BadRequest } from '#platform/errors.ts';
import { isTooLong } from '#platform/http/reject-malformed.ts';
import type { WebEnv } from './environment.ts';

const PATH = '/__manifest';
/** More patterns than there are routes. */
const MAX_PATTERNS = 100;

/**
 * Bounds the router's own endpoint, by which a page learns the routes behind its links: every path is matched against every route,
 * so thousands of them would take seconds. Paths that differ in ids alone lead to the same route, and one of them is matched.
 * @throws BadRequest for more paths than any page has links to
 */
export const boundRouteDiscovery: MiddlewareHandler<WebEnv> = (c, next) => {
  if (c.req.path !== PATH) return next();
  const url = new URL(c.req.url);
  const paths = url.searchParams.get('paths')?.split(',') ?? [];
  const patterns = new Map(paths.map((path) => [path.replace(/\/[0-9a-f-]{36}(?=\/|$)/g, '/:id'), path]));
  if (patterns.size > MAX_PATTERNS || paths.some(isTooLong)) throw new BadRequest();
  if (patterns.size < paths.length) {
    url.searchParams.set('paths', [...patterns.values()].join(','));
    c.req.raw = new Request(url, c.req.raw);
  }
  return next();
};
