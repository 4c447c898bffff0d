import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AppError } from '../errors.ts';

class BodyTooLarge extends AppError {
  constructor(maxBytes: number) {
    super(`This is too large: at most ${Math.floor(maxBytes / 1024)} kB can be sent here.`, 413);
  }
}

/**
 * Limits the size of request bodies, also without a Content-Length.
 * @param maxBytes the default limit
 * @param wider limits by path prefix, for uploads; null where the handler enforces its own limit
 * @throws BodyTooLarge
 */
export function limitBody(maxBytes: number, wider: Record<string, number | null> = {}): MiddlewareHandler {
  const bounded = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError() {
        throw new BodyTooLarge(maxSize);
      },
    });
  const common = bounded(maxBytes);
  const exceptions = Object.entries(wider).map(([path, bytes]) => ({
    path,
    limit: bytes === null ? unbounded : bounded(bytes),
  }));
  return (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const exception = exceptions.find(({ path }) => c.req.path.startsWith(path));
    return (exception?.limit ?? common)(c, next);
  };
}

const unbounded: MiddlewareHandler = (_, next) => next();
