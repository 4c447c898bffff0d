import type { RouteConfigEntry } from '@react-router/dev/routes';
import { Hono } from 'hono';
import routes from '#app/routes.ts';
import { addEndpoints, addExchange, addFiles, addWebhooks } from '#app/server/endpoints.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { addHealth, type Readiness } from '#platform/http/health.ts';

/** Static files and what the router serves itself; these are not registered anywhere. */
const UNLISTED = ['/favicon.svg', '/assets/*', '/__manifest'];

function pages(entries: readonly RouteConfigEntry[], parent = ''): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path ? `${parent}/${path}` : parent;
    const own = index || (path && !children) ? [here || '/'] : [];
    return [...own, ...pages(children ?? [], here)];
  });
}

function endpoints(): string[] {
  const app = new Hono<WebEnv>();
  addFiles(app);
  addWebhooks(app);
  addExchange(app);
  addEndpoints(app);
  addHealth(app as never, {} as Readiness);
  return app.routes.map(({ path }) => path);
}

/** Every address the server responds to, as patterns with `:id` and `*`, read from the registered routes and endpoints. */
export const patterns: readonly string[] = [...new Set([...pages(routes), ...endpoints(), ...UNLISTED])];
