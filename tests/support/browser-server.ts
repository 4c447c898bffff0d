import { emptyDatabase } from './own-database.ts';
import { startServer } from './server.ts';

/** One demo market for all browser tests of a run, on the kind of database that E2E_DATABASE names. */
export default async function startForBrowserTests(): Promise<() => Promise<void>> {
  const database = process.env.E2E_DATABASE === 'PostgreSQL' ? await emptyDatabase() : null;
  const server = await startServer({
    DEMO: 'on',
    LIMITS: 'relaxed',
    ...(database && { DATABASE_URL: database.url }),
  });
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataDir;
  if (database) process.env.E2E_DATABASE_URL = database.url;
  return async () => {
    const code = await server.stop();
    await database?.drop();
    if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
  };
}
