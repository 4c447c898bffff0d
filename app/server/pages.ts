import {
  data,
  type HeadersArgs,
  isRouteErrorResponse,
  type RouterContextProvider,
  type ServerBuild,
} from 'react-router';
import { requestScope } from '#app/request.ts';
import { AppError, TooManyRequests } from '#platform/errors.ts';
import { statusForScripts } from './refusal-status.ts';

type Module = NonNullable<ServerBuild['routes'][string]>['module'];
type Handle = NonNullable<Module['loader']>;

/**
 * The pages' door for faults. An AppError keeps its status and its text, which is safe for people; every other error is
 * logged with the request's id, and the boundary shows nothing of it. An address that is only written to answers
 * readers with 405.
 */
export function withFaults(build: ServerBuild): ServerBuild {
  const routes: ServerBuild['routes'] = {};
  for (const [id, route] of Object.entries(build.routes))
    if (route) routes[id] = { ...route, module: guarded(route.module) };
  return { ...build, routes, entry: { module: { ...build.entry.module, handleError, handleDataRequest } } };
}

function guarded(module: Module): Module {
  const { loader, action, default: page } = module;
  const refuse = page ? refuseInPage : refuseBare;
  const wrapped = (handle: Handle): Handle =>
    (async (args) => {
      try {
        return await handle(args);
      } catch (error) {
        throw error instanceof AppError ? refuse(error) : error;
      }
    }) satisfies Handle;
  return {
    ...module,
    loader: loader ? wrapped(loader) : !page && action ? onlyWritten : undefined,
    action: action && wrapped(action as Handle),
    headers: module.headers ?? waitingTime,
  } as Module;
}

/** Of what an action or a fault says in headers, the router passes on cookies alone: this is what limits need beside. */
function waitingTime({ parentHeaders, actionHeaders, errorHeaders }: HeadersArgs): Headers {
  const headers = new Headers(parentHeaders);
  const seconds = (errorHeaders ?? actionHeaders).get('retry-after');
  if (seconds !== null) headers.set('retry-after', seconds);
  return headers;
}

const headersOf = (error: AppError): Record<string, string> =>
  error instanceof TooManyRequests ? { 'retry-after': String(error.retryAfterSeconds) } : {};

/** For the boundary of the page. */
const refuseInPage = (error: AppError) =>
  data(null, { status: error.status, statusText: error.message, headers: headersOf(error) });

/** For an address without a page. */
const refuseBare = (error: AppError) =>
  Response.json({ error: error.message }, { status: error.status, headers: headersOf(error) });

const onlyWritten = () =>
  Response.json({ error: 'Method not allowed' }, { status: 405, headers: { allow: 'POST' } });

const handleDataRequest = (answer: Response, { request }: { request: Request }) =>
  statusForScripts(answer, request);

/** What no loader, action or page caught. The router's own refusals (404, 405) are expected. */
function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const cause = isRouteErrorResponse(error) && 'error' in error ? error.error : error;
  context.get(requestScope).ctx.log.error({ err: cause }, 'a page failed');
}
