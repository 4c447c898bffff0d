import { createHash } from 'node:crypto';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { createRequestHandler, type RequestHandler, RouterContextProvider } from 'react-router';
import { bindFlashToHost } from '#app/flash.ts';
import { type RequestScope, requestScope } from '#app/request.ts';
import { THEME_SCRIPT } from '#app/shell/theme.ts';
import { cookiesNotSetBy, resolveSession } from '#platform/auth/session.ts';
import { visitor } from '#platform/context.ts';
import { accessLog } from '#platform/http/access-log.ts';
import { limitBody } from '#platform/http/body-limit.ts';
import { compression } from '#platform/http/compression.ts';
import { discardHeadBody } from '#platform/http/discard-head-body.ts';
import type { HttpEnv } from '#platform/http/environment.ts';
import { errorHandler, notFoundHandler } from '#platform/http/error-responses.ts';
import { addHealth, type Readiness } from '#platform/http/health.ts';
import { requireKnownHost } from '#platform/http/known-host.ts';
import { databaseFor, wroteCookie } from '#platform/http/own-writes.ts';
import { rejectMalformed } from '#platform/http/reject-malformed.ts';
import { requestContext } from '#platform/http/request-context.ts';
import { requireSameOrigin } from '#platform/http/same-origin.ts';
import { securityHeaders } from '#platform/http/security-headers.ts';
import { addEndpoints, addFiles, addWebhooks, UPLOADS } from './endpoints.ts';
import type { WebEnv } from './environment.ts';
import { withErrorHandling } from './pages.ts';
import { boundRouteDiscovery } from './route-discovery.ts';
import type { Services } from './services.ts';

const MAX_BODY_BYTES = 256 * 1024;
const secretPaths = ['/reset-password', '/verify-email', '/unsubscribe', '/agent/register'];
/** Mail clients post here directly; the signed token in the URL identifies the recipient (RFC 8058). */
const crossOriginPaths = ['/unsubscribe'];
/** Checkout pages of the providers: without JavaScript the purchase form is redirected there. */
const formOrigins = [
  'https://checkout.stripe.com',
  'https://business.coinbase.com',
  'https://payments.coinbase.com',
];
const themeHash = `sha256-${createHash('sha256').update(THEME_SCRIPT).digest('base64')}`;

/** The whole web application: health checks, files, endpoints, then every page. */
export function createWeb(services: Services, readiness: Readiness): Hono<HttpEnv> {
  const { config, log } = services;
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler);
  app.notFound(notFoundHandler);
  app.use(requestContext(config, log));
  app.use(accessLog);
  app.use(discardHeadBody);
  app.use(securityHeaders(config, { scriptHashes: [themeHash], secretPaths, formOrigins }));
  app.use(rejectMalformed);
  addHealth(app, readiness);
  app.use(requireKnownHost(config));
  app.use('/assets/*', immutableFiles());
  app.use('/favicon.svg', serveStatic({ root: './build/client', precompressed: true }));
  app.route('/', createServiceApp(services));
  return app;
}

/** Everything that needs the services: public files first, then whatever depends on the session. */
function createServiceApp(services: Services): Hono<WebEnv> {
  const { config, db, files, geocoder, mailer, payments } = services;
  const ports = { files, geocoder, mailer, payments };
  const app = new Hono<WebEnv>();
  app.use(async (c, next) => {
    const now = () => new Date();
    c.set('services', services);
    c.set('sessionId', null);
    c.set('ctx', {
      db: databaseFor(db, config, c.req.raw),
      config,
      log: c.get('log'),
      actor: visitor,
      requestId: c.get('requestId'),
      ip: c.get('ip'),
      now,
      ...ports,
    });
    await next();
  });
  addFiles(app);
  app.use(compression);
  app.use(limitBody(MAX_BODY_BYTES, { [UPLOADS]: null }));
  addWebhooks(app);
  app.use(requireSameOrigin(config, crossOriginPaths));
  app.use(async (c, next) => {
    const { actor, sessionId, cookies } = await resolveSession(c.var.ctx, c.req.raw);
    c.set('sessionId', sessionId);
    c.set('ctx', { ...c.var.ctx, actor });
    await next();
    const wrote = wroteCookie(db, config, c.req.raw);
    for (const cookie of [...cookiesNotSetBy(c.res.headers, cookies), ...(wrote ? [wrote] : [])]) {
      c.header('set-cookie', cookie, { append: true });
    }
    bindFlashToHost(config, c.res.headers);
    // May depend on who is asking: not for shared caches, unless the response says otherwise.
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'private, no-cache');
  });
  addEndpoints(app);
  app.use(boundRouteDiscovery);
  addPages(app);
  return app;
}

/** Built files carry a hash of their content in their name. */
const immutableFiles = () =>
  serveStatic({
    root: './build/client',
    precompressed: true,
    onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
  });

function addPages(app: Hono<WebEnv>): void {
  let pages: Promise<RequestHandler> | undefined;
  // Loaded once: given a loading function, the handler would prepare all routes again for every request.
  const load = async () =>
    createRequestHandler(
      withErrorHandling(await import('virtual:react-router/server-build')),
      import.meta.env.MODE,
    );
  app.all('*', async (c) => {
    const context = new RouterContextProvider();
    const scope: RequestScope = {
      ctx: c.get('ctx'),
      services: c.get('services'),
      sessionId: c.get('sessionId'),
      nonce: c.get('secureHeadersNonce') ?? '',
    };
    context.set(requestScope, scope);
    pages ??= load();
    const render = await pages;
    const answer = await render(c.req.raw, context);
    // Otherwise the back button would show cached account pages after signing out.
    if (scope.ctx.actor.kind === 'user' && !answer.headers.has('cache-control')) {
      answer.headers.set('cache-control', 'private, no-store');
    }
    c.set('route', answer.status === 404 ? 'other' : pagePattern(c.req.path));
    return scope.page ? new Response(scope.page, { status: answer.status, headers: answer.headers }) : answer;
  });
}

/** The path without ids, as a label for metrics. */
const pagePattern = (path: string): string =>
  path.replace(/\.data$/, '').replace(/\/[0-9a-f-]{36}(?=\/|$)/g, '/:id');
