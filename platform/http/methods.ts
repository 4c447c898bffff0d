import type { MiddlewareHandler } from 'hono';
import { AppError } from '../errors.ts';
import type { HttpEnv } from './environment.ts';

const KNOWN = new Set(['GET', 'HEAD', 'POST']);

export class MethodNotAllowed extends AppError {
  constructor() {
    super('Method not allowed', 405);
  }
}

/**
 * Everything is read by GET or HEAD and written by POST, as forms do; what comes by another method reaches no handler.
 * @throws MethodNotAllowed
 */
export const onlyKnownMethods: MiddlewareHandler<HttpEnv> = (c, next) => {
  if (KNOWN.has(c.req.method)) return next();
  c.header('allow', [...KNOWN].join(', '));
  throw new MethodNotAllowed();
};
