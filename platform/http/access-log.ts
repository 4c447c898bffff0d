import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { httpSeconds } from '../metrics.ts';
import type { HttpEnv } from './environment.ts';

/** Frequent, uninteresting paths that are logged only at debug level. */
const DEBUG_ONLY = /^\/(?:assets\/|healthz$|readyz$)/;

/**
 * Logs and measures each request once its last byte was sent. URLs are logged without the query, which may contain tokens
 * and search terms.
 */
export const accessLog: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const started = performance.now();
  const outgoing = c.env?.outgoing;
  const done = () => {
    const { method, path } = c.req;
    const status = outgoing?.headersSent ? outgoing.statusCode : c.res.status;
    const milliseconds = performance.now() - started;
    httpSeconds.observe({ method, route: c.get('route') ?? routePath(c, -1), status }, milliseconds / 1000);
    const cut = outgoing !== undefined && !outgoing.writableFinished;
    const fields = { method, path, status, ms: Math.round(milliseconds * 10) / 10, ...(cut && { cut }) };
    if (DEBUG_ONLY.test(path)) c.get('log').debug(fields, 'request');
    else c.get('log').info(fields, 'request');
  };
  outgoing?.once('close', done);
  await next();
  if (!outgoing) done();
};
