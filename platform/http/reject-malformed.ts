import type { MiddlewareHandler } from 'hono';
import { AppError, BadRequest } from '../errors.ts';
import type { HttpEnv } from './environment.ts';

const ALLOWED_METHODS = new Set(['GET', 'HEAD', 'POST']);

export class MethodNotAllowed extends AppError {
  constructor() {
    super('Method not allowed', 405);
  }
}

/**
 * Rejects requests that our pages never send: methods other than GET, HEAD and POST, and paths that are not valid UTF-8.
 * @throws MethodNotAllowed, BadRequest
 */
export const rejectMalformed: MiddlewareHandler<HttpEnv> = (c, next) => {
  if (!ALLOWED_METHODS.has(c.req.method)) {
    c.header('allow', [...ALLOWED_METHODS].join(', '));
    throw new MethodNotAllowed();
  }
  if (!isValidPath(new URL(c.req.url).pathname)) throw new BadRequest();
  return next();
};

function isValidPath(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
