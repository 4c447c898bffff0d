import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { httpSeconds } from '../metrics.ts';
import type { HttpEnv } from './environment.ts';

/** Paths that are asked for so often, and say so little, that they are logged at debug only. */
const QUIET = /^\/(?:assets\/|healthz$|readyz$)/;

/**
 * One line and one measurement per request, when its last byte has left. Addresses are logged without their query,
 * which may hold tokens and what people searched for.
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
    const facts = { method, path, status, ms: Math.round(milliseconds * 10) / 10, ...(cut && { cut }) };
    if (QUIET.test(path)) c.get('log').debug(facts, 'request');
    else c.get('log').info(facts, 'request');
  };
  outgoing?.once('close', done);
  await next();
  if (!outgoing) done();
};
