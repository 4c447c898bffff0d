import type { MiddlewareHandler } from 'hono';
import { AppError, BadRequest } from '../errors.ts';
import type { HttpEnv } from './environment.ts';

const KNOWN = new Set(['GET', 'HEAD', 'POST']);

export class MethodNotAllowed extends AppError {
  constructor() {
    super('Method not allowed', 405);
  }
}

/**
 * Lets through what a browser could send. Everything is read by GET or HEAD and written by POST, as forms do; a path is
 * text in UTF-8. What is otherwise reaches no handler.
 * @throws MethodNotAllowed, BadRequest
 */
export const onlyWellFormed: MiddlewareHandler<HttpEnv> = (c, next) => {
  if (!KNOWN.has(c.req.method)) {
    c.header('allow', [...KNOWN].join(', '));
    throw new MethodNotAllowed();
  }
  if (!isText(new URL(c.req.url).pathname)) throw new BadRequest();
  return next();
};

function isText(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
