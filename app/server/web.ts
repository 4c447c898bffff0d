import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { createRequestHandler, RouterContextProvider } from 'react-router';
import { requestScope } from '#app/request.ts';
import { visitor } from '#platform/context.ts';
import type { Services } from './services.ts';

/** The whole web surface as one Hono app: endpoints, files, then every page. */
export function createWeb(services: Services) {
  const app = new Hono();
  app.use('/assets/*', serveStatic({ root: './build/client' }));
  const pages = createRequestHandler(() => import('virtual:react-router/server-build'), import.meta.env.MODE);
  app.all('*', (c) => {
    const context = new RouterContextProvider();
    const requestId = crypto.randomUUID();
    const nonce = requestId;
    context.set(requestScope, {
      ctx: { ...services, actor: visitor, requestId, ip: null, now: () => new Date() },
      services,
      sessionId: null,
      nonce,
      cookies: [],
    });
    return pages(c.req.raw, context);
  });
  return app;
}
