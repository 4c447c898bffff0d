import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './environment.ts';

/**
 * Ends what answers a HEAD request like a GET: the body is dropped without being read, so that a stream would stay open for ever
 * with its subscription or its file.
 */
export const discardHeadBody: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};
