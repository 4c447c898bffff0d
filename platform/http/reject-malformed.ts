import type { MiddlewareHandler } from 'hono';
import { AppError, BadRequest } from '../errors.ts';
import type { HttpEnv } from './environment.ts';

const ALLOWED_METHODS = new Set(['GET', 'HEAD', 'POST']);

export class MethodNotAllowed extends AppError {
  constructor() {
    super('Method not allowed', 405);
  }
}

/** Far beyond our own. The work of matching a path to a page grows with the square of its segments. */
const MAX_PATH_LENGTH = 2_048;
const MAX_SEGMENTS = 20;

class AddressTooLong extends AppError {
  constructor() {
    super('Address too long', 414);
  }
}

/** Whether a path is far longer than any of ours, or has far more segments. */
export const isTooLong = (path: string): boolean =>
  path.length > MAX_PATH_LENGTH || path.split('/').length > MAX_SEGMENTS + 1;

/**
 * Rejects requests that our pages never send: methods other than GET, HEAD and POST, paths that are not valid UTF-8, and
 * very long ones.
 * @throws MethodNotAllowed, BadRequest; AppError with 414 for a long path
 */
export const rejectMalformed: MiddlewareHandler<HttpEnv> = (c, next) => {
  if (!ALLOWED_METHODS.has(c.req.method)) {
    c.header('allow', [...ALLOWED_METHODS].join(', '));
    throw new MethodNotAllowed();
  }
  const path = new URL(c.req.url).pathname;
  if (isTooLong(path)) throw new AddressTooLong();
  if (!isValidPath(path)) throw new BadRequest();
  return next();
};

function isValidPath(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
