import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError, NotFound, TooManyRequests } from '../errors.ts';
import type { HttpEnv } from './environment.ts';

/**
 * Error handler for everything but pages: an AppError keeps its status and its message, which is safe to show; anything
 * else is logged and becomes a 500 that reveals only the request id.
 */
export const errorHandler: ErrorHandler<HttpEnv> = (error, c) => {
  const requestId = c.get('requestId');
  if (error instanceof AppError) {
    if (error instanceof TooManyRequests) c.header('retry-after', String(error.retryAfterSeconds));
    return errorResponse(c, error.status, error.message, requestId);
  }
  if (error instanceof HTTPException) return errorResponse(c, error.status, error.message, requestId);
  c.get('log').error({ err: error, path: c.req.path }, 'request failed');
  return errorResponse(c, 500, 'Something went wrong on our side. Please try again.', requestId);
};

export const notFoundHandler: NotFoundHandler<HttpEnv> = (c) =>
  errorResponse(c, 404, new NotFound().message, c.get('requestId'));

function errorResponse(c: Context, status: number, message: string, requestId: string): Response {
  c.status(status as 500);
  c.header('cache-control', 'no-store');
  const asJson = c.req.path.startsWith('/api/') || c.req.header('accept')?.includes('application/json');
  return asJson ? c.json({ error: message, requestId }) : c.text(`${message}\nRequest ${requestId}\n`);
}
