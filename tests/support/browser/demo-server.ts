import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { disableDemoAccounts } from '#demo/accounts.ts';
import { openDatabase } from '#platform/db/database.ts';
import { memoryFolder } from '../../../scripts/memory-folder.mjs';
import { createEmptyDatabase } from '../database/empty-database.ts';
import { waitForJobs } from '../database/wait-for-jobs.ts';
import { startServer, type TestServer } from '../server/server.ts';

/** The environment of every demo server, without a chain unless a test asks for one; servers on one database need the same secret. */
const DEMO = {
  DEMO: 'on',
  LIMITS: 'relaxed',
  CHAIN: 'off',
  APP_SECRET: 'only for this market: '.padEnd(48, 'x'),
};

/** A loaded demo market, to be cloned: a data folder, and with PostgreSQL a database. */
export interface DemoTemplate {
  dataDir: string;
  /** name of the database; null for the embedded one, which is part of the folder */
  database: string | null;
}

/** A server with the demo market. */
export interface DemoServer extends TestServer {
  databaseUrl: string | null;
  /** starts another server on the same database and folder */
  startSecond(): Promise<TestServer>;
  /**
   * Kills the server (SIGKILL) and starts another one on the same database and folder, at another address.
   * @param between what happens before the start
   */
  killAndStart(between?: () => void): Promise<DemoServer>;
}

/**
 * Loads the demo market once, and has the jobs done that follow from it: both take longer than everything else that a demo server
 * does when it starts, and every clone would do them again.
 */
export async function createDemoTemplate(): Promise<{ template: DemoTemplate; remove(): Promise<void> }> {
  const dataDir = mkdtempSync(join(memoryFolder(), 'acre-demo-'));
  const database = process.env.E2E_DATABASE === 'PostgreSQL' ? await createEmptyDatabase() : null;
  const server = await startServer({
    ...DEMO,
    DATA_DIR: dataDir,
    ...(database && { DATABASE_URL: database.url }),
  });
  const db = await openDatabase({ url: database?.url, dataDir, mayShare: true });
  await waitForJobs(db);
  await db.close();
  await server.stop();
  return {
    template: { dataDir, database: database && new URL(database.url).pathname.slice(1) },
    async remove() {
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a server on a clone of the template. Stopping it removes the clone.
 * @param isShortLived whether only some tests use it
 */
export async function startDemoServer(
  template: DemoTemplate,
  environment: Record<string, string> = {},
  isShortLived = true,
): Promise<DemoServer> {
  const dataDir = mkdtempSync(join(memoryFolder(), 'acre-server-'));
  cpSync(template.dataDir, dataDir, { recursive: true });
  const database = template.database ? await createEmptyDatabase(template.database) : null;
  const start = () =>
    startServer(
      {
        ...DEMO,
        DATA_DIR: dataDir,
        ...(database && { DATABASE_URL: database.url }),
        ...environment,
      },
      undefined,
      isShortLived,
    );
  if (environment.DEMO === 'off') await withoutDemoAccounts(dataDir, database?.url);
  const finished = async (code: Promise<number | string>) => {
    const result = await code;
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
    return result;
  };
  const asDemoServer = (server: TestServer): DemoServer => ({
    ...server,
    databaseUrl: database?.url ?? null,
    startSecond: start,
    async killAndStart(between) {
      await server.kill();
      between?.();
      return asDemoServer(await start());
    },
    stop: () => finished(server.stop()),
    kill: () => finished(server.kill()),
  });
  return asDemoServer(await start());
}

/** Without the demo a server starts only once its accounts are disabled. */
async function withoutDemoAccounts(dataDir: string, url: string | undefined): Promise<void> {
  const db = await openDatabase({ url, dataDir });
  await disableDemoAccounts(db, new Date());
  await db.close();
}
