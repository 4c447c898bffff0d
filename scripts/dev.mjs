import { createServer } from 'node:http';
import { bootstrap, root } from './bootstrap.mjs';

// `npm run dev`: the server from the sources. Saved files are hot-reloaded in the browser, and server code is reloaded
// with the next request; the database connection and the jobs keep their code until a restart.
await bootstrap(import.meta.url);
process.env.NODE_ENV ||= 'development';
const { getRequestListener } = await import('@hono/node-server');
const { createServer: createVite } = await import('vite');

const http = createServer();
const vite = await createVite({
  root,
  appType: 'custom',
  server: {
    middlewareMode: true,
    hmr: { server: http },
    watch: { ignored: ['**/build/**', '**/data/**', '**/test-results/**'] },
  },
});
try {
  const load = (module) => vite.ssrLoadModule(module);
  const { readConfig } = await load('/platform/config.ts');
  const { openServices } = await load('/app/server/open-services.ts');
  const { Readiness } = await load('/platform/http/health.ts');
  const { stopOnSignal } = await load('/platform/http/serve.ts');
  const config = readConfig();
  const services = await openServices(config);
  const readiness = new Readiness(services.db);
  const answer = getRequestListener(async (request, env) => {
    const { createWeb } = await load('/app/server/web.ts');
    return allowInlineStyles(await createWeb(services, readiness).fetch(request, env));
  });
  http.on('request', (incoming, outgoing) =>
    vite.middlewares(incoming, outgoing, () => answer(incoming, outgoing)),
  );
  await new Promise((resolve, reject) =>
    http.once('error', reject).listen(config.port, config.host, resolve),
  );
  stopOnSignal(services.log, {
    drainMs: 0,
    leave: () => readiness.stop(),
    async stop() {
      services.streams.closeAll();
      http.close();
      http.closeAllConnections();
      await vite.close();
      await services.close();
    },
  });
  console.log(`Ready on ${config.publicUrl}`);
} catch (error) {
  console.error(error.code === 'EADDRINUSE' ? `${error.message}: set PORT to another one.` : error);
  process.exit(1);
}

/** Hot-reloaded styles arrive as style elements without a nonce; the built pages link theirs. */
function allowInlineStyles(response) {
  const policy = response.headers.get('content-security-policy');
  if (policy) {
    const relaxed = policy.replace(/style-src 'self' 'nonce-[^']+'/, "style-src 'self' 'unsafe-inline'");
    response.headers.set('content-security-policy', relaxed);
  }
  return response;
}
