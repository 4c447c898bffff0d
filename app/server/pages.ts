import {
  data,
  type HeadersArgs,
  isRouteErrorResponse,
  type RouterContextProvider,
  type ServerBuild,
} from 'react-router';
import { requestScope } from '#app/request.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError, TooManyRequests } from '#platform/errors.ts';
import { referenceOf } from '#platform/http/reference.ts';
import { statusForScripts } from './refusal-status.ts';

type Module = NonNullable<ServerBuild['routes'][string]>['module'];
type Handle = NonNullable<Module['loader']>;

/**
 * Adds error handling to every route. An AppError keeps its status and its message, which is safe to show; every other
 * error is logged with the request id, and the error boundary shows its reference alone. A route with only an action responds
 * to GET with 405.
 */
export function withErrorHandling(build: ServerBuild): ServerBuild {
  const routes: ServerBuild['routes'] = {};
  for (const [id, route] of Object.entries(build.routes))
    if (route) routes[id] = { ...route, module: wrapModule(route.module) };
  return { ...build, routes, entry: { module: { ...build.entry.module, handleError, handleDataRequest } } };
}

function wrapModule(module: Module): Module {
  const { loader, action, default: page } = module;
  const refuse = page ? refuseInPage : refuseBare;
  const wrapHandler = (handle: Handle): Handle =>
    (async (args) => {
      try {
        return await handle(args);
      } catch (error) {
        if (error instanceof AppError) throw refuse(error);
        throw page && error instanceof Error && !args.request.signal.aborted
          ? failureInPage(error, args.context.get(requestScope).ctx)
          : error;
      }
    }) satisfies Handle;
  return {
    ...module,
    loader: loader ? wrapHandler(loader) : !page && action ? methodNotAllowed : undefined,
    action: action && wrapHandler(action),
    headers: module.headers ?? retryAfterHeaders,
  };
}

/** Of the headers of an action or an error the router keeps only cookies; rate limits need `retry-after` as well. */
function retryAfterHeaders({ parentHeaders, actionHeaders, errorHeaders }: HeadersArgs): Headers {
  const headers = new Headers(parentHeaders);
  const seconds = (errorHeaders ?? actionHeaders).get('retry-after');
  if (seconds !== null) headers.set('retry-after', seconds);
  return headers;
}

const headersOf = (error: AppError): Record<string, string> =>
  error instanceof TooManyRequests ? { 'retry-after': String(error.retryAfterSeconds) } : {};

/** Caught by the page's error boundary. */
const refuseInPage = (error: AppError) =>
  data(null, { status: error.status, statusText: error.message, headers: headersOf(error) });

/** Logs an unexpected error; the error boundary shows nothing of it but the reference in the log. */
function failureInPage(error: Error, { log, requestId }: Ctx) {
  const reference = referenceOf(requestId);
  log.error({ err: error, reference }, 'a page failed');
  return data({ reference }, { status: 500, statusText: 'Internal Server Error' });
}

/** For a route without a page; a person who posts a form to it sees the error page (see page-renderer.ts). */
const refuseBare = (error: AppError) =>
  Response.json({ error: error.message }, { status: error.status, headers: headersOf(error) });

const methodNotAllowed = () =>
  Response.json({ error: 'Method not allowed' }, { status: 405, headers: { allow: 'POST' } });

const handleDataRequest = (answer: Response, { request }: { request: Request }) =>
  statusForScripts(answer, request);

/** Logs what no loader, action or page caught. The router's own errors (404, 405) are expected. */
function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const cause = isRouteErrorResponse(error) && 'error' in error ? error.error : error;
  const { log, requestId } = context.get(requestScope).ctx;
  log.error({ err: cause, reference: referenceOf(requestId) }, 'a page failed');
}
