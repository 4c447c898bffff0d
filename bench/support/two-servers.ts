import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { systemContext } from '#app/server/system-context.ts';
import { readConfig } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { createLog } from '#platform/log.ts';
import { chargeFees } from '#tests/support/fixtures/sale-scenario.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { ensureBuilt } from './app-server.ts';

export interface TwoServers {
  /** `http://127.0.0.1:port` of each */
  origins: readonly [string, string];
  db: Database;
  /** a system context on the same database */
  system: Ctx;
  /** the last lines the servers logged; empty when all is well */
  recentLogs(): string;
  stop(): Promise<void>;
}

/**
 * Starts two processes of the built server on one fresh PostgreSQL database, with fees, the payment sandbox and production
 * rate limits.
 * @param prepare fills the database before the servers start
 */
export async function twoServers(
  serverUrl: string,
  name: string,
  prepare: (system: Ctx) => Promise<void> = async () => {},
): Promise<TwoServers> {
  await ensureBuilt();
  const url = new URL(serverUrl);
  url.pathname = `/acre_bench_${name}`;
  const drop = `drop database if exists acre_bench_${name} with (force)`;
  await runStatements(serverUrl, drop, `create database acre_bench_${name} template template0`);
  const environment = { DATABASE_URL: url.href, APP_SECRET: randomBytes(32).toString('hex') };
  const config = readConfig(environment);
  const db = await openDatabase({ url: url.href, dataDir: null, statementTimeout: 0 });
  const servers: TestServer[] = [];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await db.close();
    await runStatements(serverUrl, drop);
  };
  try {
    await migrate(db);
    await chargeFees(db);
    const system = systemContext({ db, config, log: createLog('silent') }, 'bench');
    await prepare(system);
    await db.pool.query('vacuum (analyze)');
    const [first, second] = [await startServer(environment), await startServer(environment)];
    servers.push(first, second);
    const origins = [addressOf(first), addressOf(second)] as const;
    const recentLogs = () =>
      servers
        .flatMap((server) => server.output().split('\n'))
        .filter((line) => line.startsWith('{'))
        .slice(-20)
        .join('\n');
    return { origins, db, system, recentLogs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const addressOf = ({ url }: TestServer) => url.replace('localhost', '127.0.0.1');

async function runStatements(serverUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
