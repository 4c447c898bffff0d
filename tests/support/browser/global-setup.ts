import { createDemoTemplate, startDemoServer } from './demo-server.ts';

/** Playwright's global setup: the demo market, and one server on it for all tests that share one. E2E_DATABASE names the kind. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { template, remove } = await createDemoTemplate();
  const server = await startDemoServer(template, {}, false);
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataDir;
  process.env.E2E_TEMPLATE = JSON.stringify(template);
  if (server.databaseUrl) process.env.E2E_DATABASE_URL = server.databaseUrl;
  return async () => {
    const code = await server.stop();
    await remove();
    if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
  };
}
