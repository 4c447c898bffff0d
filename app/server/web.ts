import { createHash } from 'node:crypto';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { METHOD_NAME_ALL } from 'hono/router';
import { bindFlashToHost } from '#app/flash.ts';
import { HEAD_SCRIPT } from '#app/shell/head-script.ts';
import { takesPartIn } from '#features/documents/access.ts';
import { MAX_DOCUMENT_BYTES, MAX_SALE_FORM_BYTES } from '#features/documents/model.ts';
import { mayManageDocuments } from '#features/documents/rules.ts';
import { mayList } from '#features/listings/rules.ts';
import { MAX_FILE_BYTES } from '#features/message-files/model.ts';
import { mayUploadTo } from '#features/message-files/reads.ts';
import { cookiesNotSetBy, resolveSession, type Session, visitorSession } from '#platform/auth/session.ts';
import { visitor } from '#platform/context.ts';
import { accessLog } from '#platform/http/access-log.ts';
import { limitBody } from '#platform/http/body-limit.ts';
import { compression } from '#platform/http/compression.ts';
import { discardHeadBody } from '#platform/http/discard-head-body.ts';
import { notFoundHandler } from '#platform/http/error-responses.ts';
import { addHealth, type Readiness } from '#platform/http/health.ts';
import { requireKnownHost } from '#platform/http/known-host.ts';
import { databaseFor, wroteCookie } from '#platform/http/own-writes.ts';
import { rejectMalformed } from '#platform/http/reject-malformed.ts';
import { requestContext } from '#platform/http/request-context.ts';
import { requireSameOrigin } from '#platform/http/same-origin.ts';
import { securityHeaders } from '#platform/http/security-headers.ts';
import {
  addEndpoints,
  addExchange,
  addFiles,
  addWebhooks,
  DOCUMENT_FORMS,
  LISTING_DOCUMENT_FORMS,
  MESSAGE_FORMS,
  SALE_FORMS,
  uploadPaths,
} from './endpoints.ts';
import type { WebEnv } from './environment.ts';
import { PageRenderer } from './page-renderer.ts';
import { boundRouteDiscovery } from './route-discovery.ts';
import type { Services } from './services.ts';

const MAX_BODY_BYTES = 256 * 1024;
const MAX_DOCUMENT_FORM_BYTES = MAX_DOCUMENT_BYTES + MAX_BODY_BYTES;
const secretPaths = ['/reset-password', '/verify-email', '/account/email', '/unsubscribe', '/agent/register'];
/** Mail clients post here directly; the signed token in the URL identifies the recipient (RFC 8058). */
const crossOriginPaths = ['/unsubscribe'];
/** Pages of the providers: without JavaScript the forms of purchases and payment settings are redirected there. */
const formOrigins = [
  'https://checkout.stripe.com',
  'https://connect.stripe.com',
  'https://business.coinbase.com',
  'https://payments.coinbase.com',
];
const headScriptHash = `sha256-${createHash('sha256').update(HEAD_SCRIPT).digest('base64')}`;

/** The whole web application: health checks, files, endpoints, then every page. */
export function createWeb(services: Services, readiness: Readiness): Hono<WebEnv> {
  const { config, log } = services;
  const app = new Hono<WebEnv>();
  const pages = new PageRenderer();
  app.onError(pages.handleError);
  app.notFound(notFoundHandler);
  app.use(requestContext(config, log));
  app.use(accessLog);
  app.use(discardHeadBody);
  app.use(securityHeaders(config, { scriptHashes: [headScriptHash], secretPaths, formOrigins }));
  app.use((c, next) => {
    asVisitor(c, services);
    return next();
  });
  app.use(rejectMalformed);
  addHealth(app, readiness);
  app.use(requireKnownHost(config));
  app.use('/assets/*', immutableFiles());
  app.use('/favicon.svg', serveStatic({ root: './build/client', precompressed: true }));
  app.route('/', createServiceApp(services, pages));
  return app;
}

/** The request's context before its session is known. */
function asVisitor(c: Context<WebEnv>, services: Services): void {
  const {
    config,
    db,
    chain,
    content,
    files,
    geocoder,
    mailer,
    malware,
    names,
    payments,
    payouts,
    stripeSetup,
  } = services;
  c.set('services', services);
  c.set('sessionId', null);
  c.set('sessionUnknown', false);
  c.set('ctx', {
    db: databaseFor(db, config, c.req.raw),
    config,
    log: c.get('log'),
    actor: visitor,
    requestId: c.get('requestId'),
    ip: c.get('ip'),
    now: () => new Date(),
    chain,
    content,
    files,
    geocoder,
    mailer,
    malware,
    names,
    payments,
    payouts,
    stripeSetup,
  });
}

const limitOfOthers = limitBody(MAX_BODY_BYTES);
const limitOfAdministrators = limitBody(MAX_DOCUMENT_FORM_BYTES);
const limitOfMessageForms = limitBody(MAX_FILE_BYTES + MAX_BODY_BYTES);
const limitOfSaleForms = limitBody(MAX_SALE_FORM_BYTES + MAX_BODY_BYTES);

/** A form with documents is as large as one only when it comes from somebody who may add documents. */
const limitDocumentForms: MiddlewareHandler<WebEnv> = async (c, next) => {
  const { path, method } = c.req;
  const { ctx } = c.var;
  if (method === 'GET' || method === 'HEAD') return next();
  const office = DOCUMENT_FORMS.find((prefix) => path.startsWith(prefix));
  if (office) {
    const limit = office === '/admin/transactions' ? limitOfSaleForms : limitOfAdministrators;
    return (mayManageDocuments(ctx.actor) ? limit : limitOfOthers)(c, next);
  }
  const page = SALE_FORMS.find((prefix) => path.startsWith(prefix));
  if (!page) return next();
  const saleId = path.slice(page.length).replace(/\.data$/, '');
  return ((await takesPartIn(ctx, saleId)) ? limitOfSaleForms : limitOfOthers)(c, next);
};

/** The same for a seller's form with a document about a listing; the other forms below its address have the usual limit. */
const limitListingDocumentForms: MiddlewareHandler<WebEnv> = (c, next) => {
  const { path } = c.req;
  if (!path.startsWith(LISTING_DOCUMENT_FORMS.below)) return next();
  const mayBeLarge = LISTING_DOCUMENT_FORMS.path.test(path) && mayList(c.var.ctx.actor);
  return (mayBeLarge ? limitOfAdministrators : limitOfOthers)(c, next);
};

/** The same for a file that is sent in a conversation. */
const limitMessageForms: MiddlewareHandler<WebEnv> = async (c, next) => {
  const { path, method } = c.req;
  if (!path.startsWith(MESSAGE_FORMS.below) || method === 'GET' || method === 'HEAD') return next();
  const [, id] = MESSAGE_FORMS.path.exec(path) ?? [];
  const { ctx } = c.var;
  const mayBeLarge = id !== undefined && ctx.actor.kind === 'user' && (await mayUploadTo(ctx, id));
  return (mayBeLarge ? limitOfMessageForms : limitOfOthers)(c, next);
};

/** Everything that needs the services: public files first, then whatever depends on the session. */
function createServiceApp(services: Services, pages: PageRenderer): Hono<WebEnv> {
  const { config, db } = services;
  const app = new Hono<WebEnv>();
  addFiles(app);
  app.use(compression);
  app.use(
    limitBody(
      MAX_BODY_BYTES,
      Object.fromEntries(
        [
          ...uploadPaths,
          ...DOCUMENT_FORMS,
          ...SALE_FORMS,
          LISTING_DOCUMENT_FORMS.below,
          MESSAGE_FORMS.below,
        ].map((path) => [path, null]),
      ),
    ),
  );
  addWebhooks(app);
  addExchange(app);
  app.use(requireSameOrigin(config, crossOriginPaths));
  app.use(async (c, next) => {
    const { actor, sessionId, cookies } = await resolveSession(c.var.ctx, c.req.raw).catch((error: Error) =>
      visitorUntilKnown(c, error),
    );
    c.set('sessionId', sessionId);
    c.set('ctx', { ...c.var.ctx, actor });
    await next();
    const wrote = wroteCookie(db, config, c.req.raw);
    const added = [...cookiesNotSetBy(c.res.headers, cookies), ...(wrote ? [wrote] : [])];
    for (const cookie of added) c.header('set-cookie', cookie, { append: true });
    bindFlashToHost(config, c.res.headers);
    // May depend on who is asking: not for shared caches, unless the response says otherwise, and carries nobody's cookie.
    const isPublic = c.res.headers.get('cache-control')?.startsWith('public') ?? false;
    if (c.get('sessionUnknown')) c.res.headers.set('cache-control', 'no-store');
    else if (!c.res.headers.has('cache-control') || (isPublic && added.length > 0))
      c.res.headers.set('cache-control', 'private, no-cache');
  });
  app.use(limitDocumentForms);
  app.use(limitListingDocumentForms);
  app.use(limitMessageForms);
  addEndpoints(app);
  app.use(boundRouteDiscovery);
  app.all('*', (c) => pages.respond(c));
  return app;
}

/**
 * The session of somebody who reads a page while it cannot be read who that is: a visitor's. Pages of an account then lead to
 * their sign-in page, the others say so. What writes, and every endpoint, fails instead.
 */
function visitorUntilKnown(c: Context<WebEnv>, error: Error): Session {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  const toPage = matchedRoutes(c).every(({ method }) => method === METHOD_NAME_ALL);
  if (!reads || !toPage) throw error;
  c.get('log').error({ err: error }, 'the session could not be read');
  c.set('sessionUnknown', true);
  return visitorSession();
}

/** Built files carry a hash of their content in their name. */
const immutableFiles = () =>
  serveStatic({
    root: './build/client',
    precompressed: true,
    onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
  });
