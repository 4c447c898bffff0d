import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError, NotFound, TooManyRequests } from '../errors.ts';
import type { Log } from '../log.ts';
import { referenceOf } from './reference.ts';

/** What may be shown of an error. */
export interface ShownError {
  status: number;
  /** null for an unexpected error, of which nothing may be shown */
  message: string | null;
}

/** An AppError keeps its status and its message, which is safe to show; of anything else nothing is shown. */
export function shownError(error: Error): ShownError {
  const expected = error instanceof AppError || error instanceof HTTPException;
  return expected ? { status: error.status, message: error.message } : { status: 500, message: null };
}

/** Error handler for everything but pages; an unexpected error is logged and becomes a 500 that names only the request. */
export const errorHandler = (error: Error, c: Context): Response => {
  const { status, message } = shownError(error);
  if (error instanceof TooManyRequests) c.header('retry-after', String(error.retryAfterSeconds));
  if (message === null) logFailure(c, error);
  return errorResponse(c, status, message ?? 'Something went wrong on our side. Please try again.');
};

/** Logs an unexpected error with the reference that its user is shown. */
export function logFailure(c: Context, error: Error): void {
  const reference = referenceOf(c.get('requestId'));
  const log: Log = c.get('log');
  log.error({ err: error, path: c.req.path, reference }, 'request failed');
}

export const notFoundHandler = (c: Context): Response => errorResponse(c, 404, new NotFound().message);

function errorResponse(c: Context, status: number, message: string): Response {
  const requestId: string = c.get('requestId');
  c.status(status as 500);
  c.header('cache-control', 'no-store');
  const asJson = c.req.path.startsWith('/api/') || c.req.header('accept')?.includes('application/json');
  return asJson ? c.json({ error: message, requestId }) : c.text(`${message}\nRequest ${requestId}\n`);
}
