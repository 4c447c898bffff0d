import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startServer } from './server.ts';

/** One demo market for all browser tests of a run, on the kind of database that E2E_DATABASE names. */
export default async function startForBrowserTests(): Promise<() => Promise<void>> {
  const database = process.env.E2E_DATABASE === 'PostgreSQL' ? await ownDatabase() : null;
  const server = await startServer({
    DEMO: 'on',
    LIMITS: 'relaxed',
    ...(database && { DATABASE_URL: database.url }),
  });
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataDir;
  return async () => {
    const code = await server.stop();
    await database?.drop();
    if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
  };
}

async function ownDatabase() {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) throw new Error('E2E_DATABASE=PostgreSQL needs TEST_DATABASE_URL');
  const name = `acre_e2e_${randomBytes(5).toString('hex')}`;
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await administer(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
}
