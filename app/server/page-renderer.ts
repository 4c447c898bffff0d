import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';
import { createRequestHandler, type RequestHandler, RouterContextProvider } from 'react-router';
import { type Fault, type RequestScope, requestScope } from '#app/request.ts';
import { errorHandler, logFailure, type ShownError, shownError } from '#platform/http/error-responses.ts';
import { referenceOf } from '#platform/http/reference.ts';
import type { WebEnv } from './environment.ts';
import { withErrorHandling } from './pages.ts';

/** No page has it: whatever is rendered here is the error page, in the layout of the public pages. */
const ERROR_PATH = '/error';

/** Renders the pages of the router, and the error page for everything else that fails while a person looks at it. */
export class PageRenderer {
  #handler: Promise<RequestHandler> | undefined;

  /** The router's answer. A person who asked for a page and would get bare data or text gets the error page instead. */
  async respond(c: Context<WebEnv>): Promise<Response> {
    const scope = scopeOf(c);
    const answer = await this.#render(c.req.raw, scope);
    // Otherwise the back button would show cached account pages after signing out.
    if (scope.ctx.actor.kind === 'user' && !answer.headers.has('cache-control'))
      answer.headers.set('cache-control', 'private, no-store');
    // Never the path itself: every one of them would be a time series of its own for good.
    c.set('route', answer.status === 404 ? 'other' : (scope.pattern ?? 'other'));
    if (answer.status < 400 || isPage(answer) || !asksForPage(c.req.raw)) return answer;
    const page = await this.#errorPage(c, { status: answer.status, message: await messageOf(answer) });
    const retryAfter = answer.headers.get('retry-after');
    if (retryAfter) page.headers.set('retry-after', retryAfter);
    return page;
  }

  /** Turns an error outside of the router into the error page for a person, and into text or JSON for everything else. */
  handleError = async (error: Error, c: Context<WebEnv>): Promise<Response> => {
    const plain = () => errorHandler(error, c);
    if (!asksForPage(c.req.raw) || !c.get('services')) return plain();
    const shown = shownError(error);
    if (shown.message === null) logFailure(c, error);
    try {
      return await this.#errorPage(c, shown);
    } catch (cause) {
      c.get('log').error({ err: cause }, 'the error page could not be rendered');
      return plain();
    }
  };

  async #errorPage(c: Context<WebEnv>, { status, message }: ShownError): Promise<Response> {
    const reference = referenceOf(c.get('requestId'));
    const fault: Fault = { status, statusText: STATUS_CODES[status] ?? '', message, reference };
    const { headers, url } = c.req.raw;
    const request = new Request(new URL(ERROR_PATH, url), { headers });
    const answer = await this.#render(request, { ...scopeOf(c), fault });
    answer.headers.set('cache-control', 'no-store');
    return answer;
  }

  async #render(request: Request, scope: RequestScope): Promise<Response> {
    const context = new RouterContextProvider();
    context.set(requestScope, scope);
    // Loaded once: given a loading function, the handler would prepare all routes again for every request.
    this.#handler ??= loadRouter();
    const handle = await this.#handler;
    const answer = await handle(request, context);
    return scope.page ? new Response(scope.page, { status: answer.status, headers: answer.headers }) : answer;
  }
}

const loadRouter = async () =>
  createRequestHandler(
    withErrorHandling(await import('virtual:react-router/server-build')),
    import.meta.env.MODE,
  );

const scopeOf = (c: Context<WebEnv>): RequestScope => ({
  ctx: c.get('ctx'),
  services: c.get('services'),
  sessionId: c.get('sessionId'),
  sessionUnknown: c.get('sessionUnknown'),
  nonce: c.get('secureHeadersNonce') ?? '',
});

/** Whether a person's browser asks, for something to look at: scripts and API clients do not accept HTML. */
const asksForPage = ({ url, headers }: Request): boolean =>
  (headers.get('accept')?.includes('text/html') ?? false) && !new URL(url).pathname.startsWith('/api/');

const isPage = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/html') ?? false;

/** What an endpoint of ours says of its refusal. */
async function messageOf(answer: Response): Promise<string | null> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return null;
  const said: unknown = await answer.json();
  return typeof said === 'object' && said !== null && 'error' in said && typeof said.error === 'string'
    ? said.error
    : null;
}
