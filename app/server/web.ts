import { createHash } from 'node:crypto';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { createRequestHandler, type RequestHandler, RouterContextProvider } from 'react-router';
import { type RequestScope, requestScope } from '#app/request.ts';
import { THEME_SCRIPT } from '#app/shell/theme.ts';
import { actorOf, unlessAnswered } from '#platform/auth/session.ts';
import { visitor } from '#platform/context.ts';
import { accessLog } from '#platform/http/access-log.ts';
import { answerError, answerNotFound } from '#platform/http/answers.ts';
import { arrival } from '#platform/http/arrival.ts';
import { limitBody } from '#platform/http/body-limit.ts';
import { compression } from '#platform/http/compression.ts';
import type { HttpEnv } from '#platform/http/environment.ts';
import { addHealth, type Readiness } from '#platform/http/health.ts';
import { requireOwnOrigin } from '#platform/http/own-origin.ts';
import { securityHeaders } from '#platform/http/security-headers.ts';
import { onlyWellFormed } from '#platform/http/well-formed.ts';
import { addEndpoints, addFiles, addWebhooks, UPLOADS } from './endpoints.ts';
import type { WebEnv } from './environment.ts';
import { withFaults } from './pages.ts';
import type { Services } from './services.ts';

const MAX_BODY_BYTES = 256 * 1024;
const secretPaths = ['/reset-password', '/verify-email', '/unsubscribe', '/agent/register'];
/** Mail programs post here by themselves; the signed token in the address proves whom it is for (RFC 8058). */
const postedByOthers = ['/unsubscribe'];
/** Where a purchase goes on: without scripts the form itself is led there. */
const formOrigins = [
  'https://checkout.stripe.com',
  'https://business.coinbase.com',
  'https://payments.coinbase.com',
];
const themeHash = `sha256-${createHash('sha256').update(THEME_SCRIPT).digest('base64')}`;

/** The whole web surface: health, files, endpoints, then every page. */
export function createWeb(services: Services, readiness: Readiness): Hono<HttpEnv> {
  const { config, log } = services;
  const app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.notFound(answerNotFound);
  app.use(arrival(config, log));
  app.use(accessLog);
  app.use(securityHeaders(config, { scriptHashes: [themeHash], secretPaths, formOrigins }));
  app.use(onlyWellFormed);
  addHealth(app, readiness);
  app.use('/assets/*', immutableFiles());
  app.use('/favicon.svg', serveStatic({ root: './build/client', precompressed: true }));
  app.route('/', createMarket(services));
  return app;
}

/** What knows the services: public files, then everything that asks who is there. */
function createMarket(services: Services): Hono<WebEnv> {
  const { config, db } = services;
  const app = new Hono<WebEnv>();
  app.use(async (c, next) => {
    const now = () => new Date();
    c.set('services', services);
    c.set('sessionId', null);
    c.set('ctx', {
      db,
      config,
      log: c.get('log'),
      actor: visitor,
      requestId: c.get('requestId'),
      ip: c.get('ip'),
      now,
    });
    await next();
  });
  addFiles(app);
  app.use(compression);
  app.use(limitBody(MAX_BODY_BYTES, { [UPLOADS]: null }));
  addWebhooks(app);
  app.use(requireOwnOrigin(config, postedByOthers));
  app.use(async (c, next) => {
    const { actor, sessionId, cookies } = await actorOf(c.var.ctx, c.req.raw);
    c.set('sessionId', sessionId);
    c.set('ctx', { ...c.var.ctx, actor });
    await next();
    for (const cookie of unlessAnswered(c.res.headers, cookies)) {
      c.header('set-cookie', cookie, { append: true });
    }
    // What may depend on who asks: nothing between here and the browser keeps it, unless the answer itself says so.
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'private, no-cache');
  });
  addEndpoints(app);
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
  // Loaded once: given a function to load them, the handler would prepare all routes anew for every request.
  const load = async () =>
    createRequestHandler(withFaults(await import('virtual:react-router/server-build')), import.meta.env.MODE);
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
    // After signing out the back button would show what the browser kept of the account.
    if (scope.ctx.actor.kind === 'user' && !answer.headers.has('cache-control')) {
      answer.headers.set('cache-control', 'private, no-store');
    }
    c.set('route', answer.status === 404 ? 'other' : pagePattern(c.req.path));
    return scope.page ? new Response(scope.page, { status: answer.status, headers: answer.headers }) : answer;
  });
}

/** The page's address without what differs between its visits: what metrics are kept by. */
const pagePattern = (path: string): string =>
  path.replace(/\.data$/, '').replace(/\/[0-9a-f-]{36}(?=\/|$)/g, '/:id');
